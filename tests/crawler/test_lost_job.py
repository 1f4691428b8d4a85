"""A worker whose Redis has lost the job ends, and says once why."""

from __future__ import annotations

from pathlib import Path

import loaded_program
import pytest
from fleet_worker import ended, job_of_pages, wait_for_pages
from redis_process import RedisProcess, needs_redis
from small_web import Web

from crawler.exit_codes import ExitCode

pytestmark = pytest.mark.timeout(400)


def test_it_says_so_once(web: Web, tmp_path: Path) -> None:
    needs_redis()
    job = job_of_pages(tmp_path, web, delay=0.1)
    with RedisProcess(tmp_path) as server:
        process = loaded_program.start("crawler", "run", str(job), "-s", f"FRONTIER={server.url}")
        wait_for_pages(web, process)
        server.stop()
        server.start()
        code, errors = ended(process)
    assert code == ExitCode.STORAGE, errors
    said = [line for line in errors.splitlines() if "no longer has the job" in line]
    # What was on disk by then is told of, too, and what was tried before it was found out.
    told = [line for line in said if "could not " not in line and "cannot " not in line]
    assert ["stopping the crawl: " in line for line in told] == [True], errors
