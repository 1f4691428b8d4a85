"""URLs of a host that is blocked are not requested, and are fetched once it is unblocked.

What was removed meanwhile is written again by a job that visits pages again.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from fleet_worker import ended, job_file, worker
from recrawling import Recrawl
from redis_process import RedisProcess
from small_web import PAGE, Web

from benchmarks.fault_site import html_of
from crawler.discovery.block_list import BlockList, host_digest
from crawler.exit_codes import ExitCode
from crawler.frontier import SqliteFrontier, Stats
from crawler.frontier.redis import RedisFrontier
from genre_crawler.command_line import main
from pipelines.corpus.verification import verify

HOST = "127.0.0.1"
RECRAWL = 'policy = "fixed"\ninterval = "1s"\nleast.default = "1s"'


@pytest.fixture(params=["embedded", "redis"])
def frontier(request: pytest.FixtureRequest) -> str:
    """The address of the job's frontier."""
    if request.param == "embedded":
        return "embedded"
    server: RedisProcess = request.getfixturevalue("own")
    return server.url


class Job:
    """A job of one site in ``folder``; its pages are written down by ``page_sink``."""

    def __init__(self, folder: Path, web: Web, frontier: str, **tables: str) -> None:
        self.folder, self._frontier = folder / "out", frontier
        web.answers |= {"/": (200, {}, PAGE + "<a href=/a>1</a>"), "/a": (200, {}, PAGE)}
        tables |= {"politeness": "delay = 0", "outputs": f'folder = "{self.folder}"'}
        self._job = job_file(folder, [f"{web.base}/"], **tables)

    def crawl(self, *, ends: ExitCode = ExitCode.FINISHED) -> None:
        code, errors = ended(worker(self._job, "-s", f"FRONTIER={self._frontier}"))
        assert (code, "Traceback" in errors) == (ends, False), errors

    def stats(self) -> Stats:
        async def read() -> Stats:
            async with await self._attached() as attached:
                return await attached.stats()

        return asyncio.run(read())

    async def _attached(self) -> SqliteFrontier | RedisFrontier:
        if self._frontier == "embedded":
            return await SqliteFrontier.attach(self.folder)
        return await RedisFrontier.attach(self._frontier, "fleet")


def test_they_are_dead_until_it_is_unblocked(web: Web, tmp_path: Path, frontier: str) -> None:
    job = Job(tmp_path, web, frontier)
    BlockList.add(job.folder, [], [host_digest(HOST), host_digest("other.example")])
    for _ in range(2):
        job.crawl(ends=ExitCode.NOTHING)
        assert (job.stats().dead, job.stats().queued, web.asked) == (1, 0, [])
    BlockList.remove(job.folder, [host_digest(HOST)])
    job.crawl()
    assert {"/", "/a"} <= set(web.asked)
    assert (job.stats().done, job.stats().dead) == (2, 0)


def test_a_job_that_visits_pages_again_leaves_them_for_their_next_visit(
    web: Web, tmp_path: Path, frontier: str
) -> None:
    job = Job(tmp_path, web, frontier, recrawl=RECRAWL)
    BlockList.add(job.folder, [], [host_digest(HOST)])
    job.crawl()
    assert web.asked == []
    assert job.stats().outcomes == {"blocked": 1}
    assert job.stats().dead == 0
    BlockList.remove(job.folder, [host_digest(HOST)])
    end = time.monotonic() + 30
    while not web.asked and time.monotonic() < end:
        job.crawl()
    assert {"/", "/a"} <= set(web.asked)


@pytest.mark.parametrize("name", ["--host", "--url"])
def test_what_was_removed_comes_back_once_although_it_has_not_changed(
    web: Web, tmp_path: Path, name: str
) -> None:
    web.answers |= {
        "/": (200, {"ETag": '"1"'}, html_of("Home", links=["/a"])),
        "/a": (200, {"ETag": '"2"'}, html_of("A")),
    }
    crawl = Recrawl(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    named = (name, HOST if name == "--host" else f"{web.base}/a")
    for command in ("forget", "unblock"):
        assert main(["corpus", command, str(crawl.corpus), *named]) == 0
    removed = 2 - verify(crawl.corpus).documents
    assert removed == (2 if name == "--host" else 1)
    for _ in range(2):
        assert crawl.run_again() == 0
    found = verify(crawl.corpus)
    assert (found.documents, found.repeats) == (2, 0)
    assert crawl.stats().outcomes == {"kept": 2 + removed, "not-modified": 4 - removed}
