"""Real workers on one Redis, killed and asked to end, with the whole pipeline at work.

``python -m benchmarks fleet --chaos`` is the same with 5,000 pages.
"""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import pytest
from redis_process import RedisProcess, needs_redis

from benchmarks.fleet.chaos import Plan, Worker, chaos, numbers, write_job
from benchmarks.fleet.site import FleetSite
from crawler.exit_codes import ExitCode

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("loaded_crawls")]


def test_a_fleet_that_is_killed_does_every_page_once_and_politely(tmp_path: Path) -> None:
    needs_redis()
    plan = Plan(pages=120, hosts=40, workers=3, delay=0.1, kill_every=5, restarts=1, seconds=240)
    outcome = chaos(tmp_path, plan)
    assert outcome.problems == []
    assert outcome.lines == plan.pages
    assert outcome.exit_codes == [ExitCode.FINISHED] * plan.workers
    assert outcome.restarts == plan.restarts
    assert outcome.kills


def test_a_worker_that_is_asked_to_end_gives_back_what_it_holds(tmp_path: Path) -> None:
    needs_redis()
    plan = Plan(pages=120, hosts=40, workers=1, delay=0.2)
    with RedisProcess(tmp_path) as redis, FleetSite(plan.pages, plan.hosts, plan.delay) as site:
        write_job(tmp_path, plan, site)
        worker = Worker(tmp_path, 0, redis.url)
        try:
            while site.pages_asked() < plan.hosts:
                assert worker.exit_code is None, worker.errors
                time.sleep(0.02)
            worker.run.send(signal.SIGTERM)
            assert worker.run.wait(60) == ExitCode.STOPPED
            stats = asyncio.run(numbers(redis.url))
            assert stats.leased == 0
            assert plan.pages > stats.done >= plan.hosts / 2
            worker.start()
            assert worker.run.wait(120) == ExitCode.FINISHED
        finally:
            worker.kill(group=True)
        assert asyncio.run(numbers(redis.url)).done == plan.pages
        assert list(site.too_soon()) == []
        # Not one was fetched again.
        assert len({(one.host, one.path) for one in site.asked}) == len(site.asked)
