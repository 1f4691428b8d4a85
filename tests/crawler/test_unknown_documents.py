"""A crawl whose frontier does not know the documents in its folder says that they come twice."""

from __future__ import annotations

from pathlib import Path

import loaded_program
import pytest
from redis_process import RedisProcess
from small_web import PAGE, Web

pytestmark = pytest.mark.timeout(400)


def crawl(folder: Path, web: Web, frontier: str) -> str:
    """What a crawl of one page says, which may have been crawled into the folder before."""
    web.answers["/"] = (200, {}, PAGE)
    job = folder / "job.toml"
    job.write_text(
        f'name = "one"\n[seeds]\nurls = ["{web.base}/"]\n[limits]\nprocesses = 1\n'
        f'[extraction]\nsite_memory = false\n[outputs]\nfolder = "{folder}/out"\n'
    )
    done = loaded_program.run("crawler", "run", str(job), "-s", f"FRONTIER={frontier}", seconds=120)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_they_are_known_until_the_frontier_is_elsewhere(
    web: Web, tmp_path: Path, own: RedisProcess
) -> None:
    for _ in range(2):
        assert "come twice" not in crawl(tmp_path, web, own.url)
    said = crawl(tmp_path, web, "embedded")
    assert f"(embedded, in {tmp_path}/out) has no page yet, but {tmp_path}/out/corpus has" in said
    assert "come twice" in said
    assert "come twice" not in crawl(tmp_path, web, "embedded")
