"""Sites of one template, crawled by the real program: every text is what its site's memory gives.

``python -m benchmarks site-memory`` does the same with real pages.
"""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis_process import RedisProcess

from benchmarks.fault_crawl import Run
from benchmarks.fault_site import FaultSite, html_of
from benchmarks.site_memory.comparison import Comparison, compared
from benchmarks.site_memory.sites import SitesCrawl, crawl_of, serving, strike, urls_of
from crawler.exit_codes import ExitCode
from crawler.frontier import SqliteFrontier, Stats
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.worker_name import FOLDER
from extraction.site_memory import CAPACITY
from pipelines.corpus.folder import shards
from pipelines.corpus.held_files import held_files
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import verify

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("loaded_crawls")]

NOTICE = """<p>Readers of the harbour gazette enjoy our letter every Monday morning, with the tides
of the week, the stories that moved the town, and the recipes of the keeper of the lighthouse.</p>
<p>The gazette has been printed on the island since the great storm, and every household that keeps
a lantern in its window receives the almanac free of charge in the last week of the year.</p>"""


def site(name: str, pages: int) -> list[str]:
    """Pages of one template, with a notice among their text."""
    return [html_of(f"{name} {number}").replace("<ul>", f"{NOTICE}<ul>") for number in range(pages)]


# One site with a full memory, and one that has too few pages for that.
SITES = [site("A", 60), site("B", 7)]


@pytest.fixture(scope="module")
def served() -> Iterator[list[FaultSite]]:
    with serving(SITES, latency=0.02) as sites:
        yield sites


@pytest.fixture
def pages(served: list[FaultSite]) -> dict[str, str]:
    """The HTML of all pages by URL; what was asked for before is forgotten."""
    for one in served:
        one.forget()
    return urls_of(served, SITES)


def finish(crawl: SitesCrawl) -> None:
    run = crawl.finish()
    assert run.process.returncode == ExitCode.FINISHED, run.errors
    assert "Traceback" not in run.errors


def is_whole(found: Comparison, pages: dict[str, str]) -> None:
    assert (found.equal, found.different, found.lost) == (len(pages), [], [])
    assert found.held == 0
    # Otherwise this would prove nothing.
    assert found.changed > len(pages) / 2


def stats_of(crawl: SitesCrawl) -> Stats:
    async def read() -> Stats:
        async with await SqliteFrontier.attach(crawl.output) as frontier:
            return await frontier.stats()

    return asyncio.run(read())


def lines(corpus: Path) -> list[dict[str, Any]]:
    return [line for shard in shards(corpus) for line in shard.documents()]


def wait_until_held(crawl: SitesCrawl, run: Run) -> None:
    while not (crawl.corpus.exists() and held_files(crawl.corpus)):
        assert run.sleep(0.02), run.errors


def test_the_corpus_is_what_the_memory_gives_offline(
    served: list[FaultSite], pages: dict[str, str], tmp_path: Path
) -> None:
    crawl = crawl_of(tmp_path, served)
    finish(crawl)
    found = compared(crawl, pages)
    is_whole(found, pages)
    assert sorted(found.known.values()) == [7, CAPACITY]
    assert found.repeats == 0
    assert {line["metadata"]["site_pages"] for line in lines(crawl.corpus)} == {6, 19, 20}
    outcomes = dict(stats_of(crawl).outcomes)
    assert (outcomes["kept"], outcomes.get("held")) == (len(pages), None)
    assert verify(crawl.corpus).notes == []


def test_the_corpus_is_the_same_with_kills_in_between(
    served: list[FaultSite], pages: dict[str, str], tmp_path: Path
) -> None:
    crawl = crawl_of(tmp_path, served, processes=1)
    struck = strike(crawl, served, random.Random(5), kills=3)
    assert struck
    finish(crawl)
    is_whole(compared(crawl, pages), pages)
    outcomes = stats_of(crawl).outcomes
    assert (outcomes["kept"], outcomes.get("held")) == (len(pages), None)


def test_ctrl_c_keeps_what_waits_for_the_next_run(
    served: list[FaultSite], pages: dict[str, str], tmp_path: Path
) -> None:
    crawl = crawl_of(tmp_path, served, processes=1, visits_per_host=1)
    run = crawl.start()
    wait_until_held(crawl, run)
    run.send(signal.SIGINT)
    assert run.wait() == ExitCode.STOPPED
    (waiting,) = held_files(crawl.corpus)
    assert stats_of(crawl).outcomes["held"] == waiting.count
    finish(crawl)
    is_whole(compared(crawl, pages), pages)


def test_a_worker_that_dies_for_good_leaves_all_that_it_acknowledged(
    served: list[FaultSite], pages: dict[str, str], tmp_path: Path
) -> None:
    crawl = crawl_of(tmp_path, served, processes=1)
    run = crawl.start()
    wait_until_held(crawl, run)
    while not stats_of(crawl).outcomes.get("held"):
        assert run.sleep(0.02), run.errors
    run.kill()
    merged = merge([crawl.corpus], tmp_path / "all")
    outcomes = stats_of(crawl).outcomes
    assert merged.held >= outcomes["held"] > 0
    assert merged.documents >= outcomes["held"] + outcomes.get("kept", 0)
    assert 0 in {line["metadata"]["site_pages"] for line in lines(tmp_path / "all")}
    assert len({line["id"] for line in lines(tmp_path / "all")}) == merged.documents


def test_files_that_may_not_grow_end_the_crawl_and_lose_nothing(
    served: list[FaultSite], pages: dict[str, str], tmp_path: Path
) -> None:
    crawl = crawl_of(tmp_path, served, processes=1, visits_per_host=1)
    run = crawl.start()
    wait_until_held(crawl, run)
    # Room for the log, which is a file, too.
    run.limit_files(5_000)
    assert run.wait() == ExitCode.STORAGE, run.errors
    assert "start again" in run.errors
    assert "Traceback" not in run.errors
    finish(crawl)
    is_whole(compared(crawl, pages), pages)


def test_without_site_memory_pages_are_read_once_and_alone(
    served: list[FaultSite], tmp_path: Path
) -> None:
    crawl = crawl_of(tmp_path, served, processes=1, site_memory=False)
    finish(crawl)
    assert {line["metadata"]["site_pages"] for line in lines(crawl.corpus)} == {None}
    assert not list(crawl.corpus.glob(".state/*/held.sqlite"))


def test_a_fleet_has_one_memory_for_each_site(
    served: list[FaultSite], pages: dict[str, str], tmp_path: Path, shared: RedisProcess
) -> None:
    crawl = crawl_of(tmp_path, served, processes=1)
    job = crawl.written()
    workers = [
        Run(job, tmp_path / f"errors-{number}", "--frontier", shared.url) for number in range(2)
    ]
    for worker in workers:
        assert worker.wait() == ExitCode.FINISHED, worker.errors

    is_whole(compared(crawl, pages, of_fleet(shared, len(pages))), pages)


def test_a_worker_of_a_fleet_that_was_stopped_is_completed_by_the_next_of_its_name(
    served: list[FaultSite], pages: dict[str, str], tmp_path: Path, own: RedisProcess
) -> None:
    crawl = crawl_of(tmp_path, served, processes=1, visits_per_host=1)
    job, names = crawl.written(), crawl.output / FOLDER
    run = Run(job, tmp_path / "first", "--frontier", own.url)
    wait_until_held(crawl, run)
    run.send(signal.SIGINT)
    assert run.wait() == ExitCode.STOPPED, run.errors
    assert len(list(names.iterdir())) == 1
    again = Run(job, tmp_path / "second", "--frontier", own.url)
    assert again.wait() == ExitCode.FINISHED, again.errors
    assert list(names.iterdir()) == []
    is_whole(compared(crawl, pages, of_fleet(own, len(pages))), pages)


def of_fleet(server: RedisProcess, kept: int) -> dict[str, list[bytes]]:
    """What the fleet remembers of each host, after all pages were kept."""

    async def read() -> dict[str, list[bytes]]:
        async with await RedisFrontier.attach(server.url, "sites") as frontier:
            sites = frontier.sites(CAPACITY)
            outcomes = (await frontier.stats()).outcomes
            assert (outcomes["kept"], outcomes.get("held")) == (kept, None)
            return {host: await sites.all(host) for host in ("127.0.1.1", "127.0.1.2")}

    return asyncio.run(read())
