"""Servers that break, stall, ask for patience or want to fill the memory."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from benchmarks.fault_crawl import FaultCrawl
from benchmarks.fault_site import Answer, Exchange, FaultSite, html_of, once, page
from benchmarks.faults.answers import (
    ENDS,
    closed_until,
    hostile_site,
    moody_site,
    too_many_requests,
)
from benchmarks.faults.audit import Left, complaints, left_of
from crawler.exit_codes import ExitCode

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("loaded_crawls")]

# A crawler of no bad pages holds about 140 MB; a bomb, or a head without an end, would be 1 GB.
MOST_MEMORY = 400_000_000


def crawled(site: FaultSite, crawl: FaultCrawl) -> tuple[Left, int]:
    """What the crawl left, and the most bytes that the crawler held."""
    run = crawl.start()
    most = 0
    while run.sleep(0.1):
        most = max(most, run.memory())
    assert run.process.returncode == ExitCode.FINISHED, run.errors
    assert "Traceback" not in run.errors
    left = left_of(crawl, site.urls())
    assert complaints(left) == []
    return left, most


def test_what_never_gets_better_is_dead_or_rejected_with_a_reason(tmp_path: Path) -> None:
    with FaultSite(hostile_site()) as site:
        left, most = crawled(site, FaultCrawl(tmp_path, site.base, processes=1, page_time="5s"))
        reasons = {url.removeprefix(site.base): reason for url, reason in left.dead.items()}
        bombs = {path for path, (_, end) in ENDS.items() if end == "too-large"}
        assert set(reasons) == ENDS.keys() - bombs
        for path, reason in reasons.items():
            assert reason.startswith(ENDS[path][1]), path
        assert left.stats.outcomes == {"kept": 21, "rejected: too-large": len(bombs)}
        assert most < MOST_MEMORY
        assert all(site.visits[path] == 2 for path in reasons)


def test_what_gets_better_is_kept(tmp_path: Path) -> None:
    with FaultSite(moody_site()) as site:
        crawl = FaultCrawl(tmp_path, site.base, processes=1, page_time="5s", tries=4)
        left, _ = crawled(site, crawl)
        assert left.dead == {}
        assert left.stats.outcomes == {"kept": len(site.answers)}


def packed_a_thousand_times(exchange: Exchange) -> None:
    codings = ", ".join(["gzip"] * 1000)
    exchange.send("200 OK", gzip.compress(b"<p>Words."), {"Content-Encoding": codings})


def test_an_answer_that_is_packed_too_often_is_rejected_with_a_reason(tmp_path: Path) -> None:
    pages = {"/": page("Home", links=["/packed"]), "/packed": packed_a_thousand_times}
    with FaultSite(pages) as site:
        left, _ = crawled(site, FaultCrawl(tmp_path, site.base, processes=1))
        assert left.stats.outcomes == {"kept": 1, "rejected: too-many-codings": 1}


def test_of_what_is_no_page_only_the_head_counts(tmp_path: Path) -> None:
    """As in browsers, whatever becomes of the body."""

    def says(status: str, headers: dict[str, str]) -> Answer:
        return lambda exchange: exchange.begin(status, {"Location": "/new", **headers})

    def no_gzip(exchange: Exchange) -> None:
        exchange.send("302 Found", b"Elsewhere", {"Location": "/", "Content-Encoding": "gzip"})

    broken = {"Content-Length": "500"}
    pages = {"/moved": says("301 Moved", broken), "/gone": says("410 Gone", broken)}
    pages |= {"/packed": no_gzip, "/unfinished": says("404 Not", {"Transfer-Encoding": "chunked"})}
    with FaultSite({"/": page("Home", links=list(pages)), "/new": page("New"), **pages}) as site:
        left, _ = crawled(site, FaultCrawl(tmp_path, site.base, processes=1))
        assert left.dead == {}
        assert left.stats.outcomes == {"kept": 2, "redirected": 2, "gone": 1, "not-found": 1}
        assert set(site.visits.values()) == {1}


def test_a_header_may_be_as_long_as_all_together(tmp_path: Path) -> None:
    policy = {"Content-Security-Policy": "script-src " + "https://example.com/a.js " * 4000}
    body = html_of("Long").encode()
    pages: dict[str, Answer] = {"/": lambda exchange: exchange.send("200 OK", body, policy)}
    with FaultSite(pages) as site:
        left, _ = crawled(site, FaultCrawl(tmp_path, site.base, processes=1))
        assert left.stats.outcomes == {"kept": 1}


@pytest.mark.parametrize("asks", [too_many_requests(3), closed_until(4)])
def test_a_server_that_asks_for_patience_is_left_alone_so_long(
    asks: Answer, tmp_path: Path
) -> None:
    pages: dict[str, Answer] = {f"/page/{number}": page(f"Page {number}") for number in range(8)}
    pages["/page/3"] = once(asks, pages["/page/3"])
    first = page("Home", links=list(pages))
    with FaultSite({"/": first, **pages}) as site:
        left, _ = crawled(site, FaultCrawl(tmp_path, site.base, processes=1, visits_per_host=1))
        assert left.stats.outcomes == {"kept": len(site.answers)}
        paths = [path for _, path in site.asked]
        at = paths.index("/page/3")
        assert site.asked[at + 1].time - site.asked[at].time > 2.5
        assert paths.count("/page/3") == 2
