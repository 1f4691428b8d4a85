"""Crawls that come back, as a user runs them: what is fetched then, and what the corpus says."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import loaded_program
import pytest
from frontier_audit import audit
from small_web import Web

from benchmarks.faults.site import Answer, FaultSite, html_of, not_found, page
from benchmarks.recrawl.second_crawl import RecrawlOfAll
from crawler.frontier import SqliteFrontier, Stats
from pipelines.corpus.folder import shards
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_SOUND, verify

pytestmark = pytest.mark.timeout(300)

PATHS = [f"/page/{number}" for number in range(40)]
RUNS = 3
# Known pages are due a second after their visit.
PAUSE = 1.1


class Recrawl(RecrawlOfAll):
    """Run in a process that has loaded the program."""

    def run(self) -> int:
        """One run to its end, if it has one; returns the exit code."""
        done = loaded_program.run("crawler", "run", str(self.written()))
        assert "Traceback" not in done.stderr, done.stderr
        return done.returncode

    def stats(self) -> Stats:
        async def read() -> Stats:
            async with await SqliteFrontier.attach(self.output) as frontier:
                return await frontier.stats()

        return asyncio.run(read())


def texts(corpus: Path, kind: str, site: str) -> dict[tuple[str, int], str]:
    """The texts of a corpus by path and version."""
    found = {}
    for shard in shards(corpus):
        for line in shard.documents() if shard.kind == kind else ():
            metadata = line["metadata"]
            found[metadata["url"].removeprefix(site), metadata["version"]] = line["text"]
    return found


def test_of_a_site_that_has_not_changed_nothing_is_read(web: Web, tmp_path: Path) -> None:
    paths = [f"/{number}" for number in range(20)]
    bodies = {"/": html_of("Home", links=paths)} | {path: html_of(path) for path in paths}
    web.answers |= {path: (200, {"ETag": f'"{path}"'}, body) for path, body in bodies.items()}
    crawl = Recrawl(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    assert sorted(web.read) == sorted(bodies)
    files = sorted((crawl.corpus / "documents").iterdir())
    web.read.clear()
    time.sleep(PAUSE)
    assert crawl.run() == 0
    assert web.read == []
    assert crawl.stats().outcomes == {"kept": 21, "not-modified": 21}
    assert sorted((crawl.corpus / "documents").iterdir()) == files


def edition(path: str, run: int) -> int:
    """How often a page has changed by a run: even ones in each, every third one in the last."""
    number = int(path.rpartition("/")[2])
    return run if number % 2 == 0 else int(number % 3 == 0 and run == RUNS - 1)


def is_gone(path: str, run: int) -> bool:
    return path.endswith("7") and run > 0


def missing(path: str) -> Answer:
    """Some are not found, one has moved, and of one the owner now reserves the use."""
    if path == "/page/17":
        return lambda exchange: exchange.send("301 Moved", b"", {"Location": PATHS[0]})
    if path == "/page/27":
        body = html_of(f"{path}, edition 0").encode()
        return lambda exchange: exchange.send("200 OK", body, {"TDM-Reservation": "1"})
    return not_found


def answers(run: int) -> dict[str, Answer]:
    """The site as it is in a run."""
    pages = {
        path: missing(path) if is_gone(path, run) else page(f"{path}, edition {edition(path, run)}")
        for path in PATHS
    }
    return {"/": page("Home", links=PATHS), **pages}


def killed(crawl: Recrawl, site: FaultSite, requests: int) -> None:
    """Begin a run, and kill it after so many requests."""
    before = len(site.asked)
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(crawl.run)
        while len(site.asked) < before + requests and not running.done():
            time.sleep(0.01)
        assert not running.done()
        os.kill(int((crawl.output / "frontier.lock").read_text()), signal.SIGKILL)
        assert running.result() == -signal.SIGKILL


def test_kills_neither_lose_nor_double_nor_reorder_versions(tmp_path: Path) -> None:
    chance = random.Random(5)
    with FaultSite(latency=0.02) as site:
        crawl = Recrawl(tmp_path, site.base, processes=1)
        for run in range(RUNS):
            site.answers = answers(run)
            if run > 0:
                time.sleep(PAUSE)
                killed(crawl, site, chance.randint(1, len(PATHS) - 5))
            assert crawl.run() == 0
    audit(sqlite3.connect(crawl.output / "frontier.sqlite"))
    every, now = tmp_path / "all", tmp_path / "now"
    merge([crawl.corpus], every)
    merge([crawl.corpus], now, is_current=True)
    assert verify(every).exit_code == verify(now).exit_code == EXIT_SOUND
    gone = {path for path in PATHS if is_gone(path, RUNS - 1)}
    last = {path: 1 + (0 if path in gone else edition(path, RUNS - 1)) for path in PATHS}
    found = texts(every, "documents", site.base)
    home = ("/", 1)
    assert found.keys() - {home} == {
        (path, version) for path in PATHS for version in range(1, last[path] + 1)
    }
    for path, version in found.keys() - {home}:
        assert f"{path}, edition {version - 1}:" in found[path, version]
    current = {home, *((path, version) for path, version in last.items() if path not in gone)}
    assert texts(now, "documents", site.base) == {one: found[one] for one in current}
    assert texts(now, "tombstones", site.base) == {(path, 1): "" for path in gone}
