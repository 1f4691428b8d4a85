"""A site that changes between two runs of a crawl with ``[recrawl]``; an audit of its versions."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from benchmarks.fault_crawl import Run
from benchmarks.fault_site import Answer, FaultSite, html_of, not_found, page
from benchmarks.faults.trials import Trial, wait_for_requests
from benchmarks.recrawl.second_crawl import RecrawlOfAll
from crawler.exit_codes import ExitCode
from pipelines.corpus.folder import shards
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_SOUND, verify

PATHS: Final = [f"/page/{number}" for number in range(40)]
RUNS: Final = 3
PAUSE: Final = 2.1
"""Seconds between two runs: known pages are due a second after their visit, in whole seconds that
are rounded up, and runs begin in whole seconds that are rounded down."""


def edition(path: str, run: int) -> int:
    """How often a page has changed by a run: even ones in each, every third one in the last."""
    number = int(path.rpartition("/")[2])
    return run if number % 2 == 0 else int(number % 3 == 0 and run == RUNS - 1)


def answers(run: int) -> dict[str, Answer]:
    """The site as it is in a run."""
    pages = {
        path: _missing(path)
        if _is_gone(path, run)
        else page(f"{path}, edition {edition(path, run)}")
        for path in PATHS
    }
    return {"/": page("Home", links=PATHS), **pages}


def version_problems(corpus: Path, folder: Path, base: str) -> Iterator[str]:
    """A message for every version that is lost, doubled, out of order or of another text.

    folder: for merged corpora. base: of the site. To be asked after the last run.
    """
    every, now = folder / "all", folder / "now"
    for merged, is_current in ((every, False), (now, True)):
        shutil.rmtree(merged, ignore_errors=True)
        merge([corpus], merged, is_current=is_current)
        if verify(merged).exit_code != EXIT_SOUND:
            yield f"verify of {merged.name} exits with {verify(merged).exit_code}"
    gone = {path for path in PATHS if _is_gone(path, RUNS - 1)}
    last = {path: 1 + (0 if path in gone else edition(path, RUNS - 1)) for path in PATHS}
    found = texts(every, "documents", base)
    home = ("/", 1)
    expected = {(path, version) for path in PATHS for version in range(1, last[path] + 1)} | {home}
    if found.keys() != expected:
        yield f"lost or doubled versions: {sorted(found.keys() ^ expected)[:5]}"
    for path, version in found.keys() & expected - {home}:
        if f"{path}, edition {version - 1}:" not in found[path, version]:
            yield f"version {version} of {path} has the text of another"
    current = {home, *((path, version) for path, version in last.items() if path not in gone)}
    if texts(now, "documents", base) != {one: found[one] for one in current if one in found}:
        yield "the current documents are not the last versions"
    if texts(now, "tombstones", base) != {(path, 1): "" for path in gone}:
        yield "the tombstones are not those of the pages that are gone"


def texts(corpus: Path, kind: str, base: str) -> dict[tuple[str, int], str]:
    """The texts of a corpus by path and version."""
    found = {}
    for shard in shards(corpus):
        for line in shard.documents() if shard.kind == kind else ():
            metadata = line["metadata"]
            found[metadata["url"].removeprefix(base), metadata["version"]] = line["text"]
    return found


def killed_recrawl(
    crawl: RecrawlOfAll, site: FaultSite, chance: random.Random, *, kills: int
) -> Trial:
    """SIGKILL the program at random requests of its runs, up to ``kills`` times in all."""
    trial = Trial(f"kill -9 of a crawl with [recrawl], frontier {crawl.store}")
    for number in range(RUNS):
        site.answers = answers(number)
        if number:
            time.sleep(PAUSE)
        for _ in range(kills * (number + 1) // RUNS - kills * number // RUNS):
            run = crawl.start()
            began = time.monotonic()
            wait_for_requests(run, site, chance.randint(1, len(PATHS)))
            if not _struck(run, trial, time.monotonic() - began):
                break
        trial.expect(crawl.finish(), ExitCode.FINISHED)
    trial.problems += version_problems(crawl.corpus, crawl.folder, site.base)
    trial.documents = len(texts(crawl.folder / "all", "documents", site.base))
    trial.repeats = verify(crawl.corpus).repeats
    return trial


def _struck(run: Run, trial: Trial, moment: float) -> bool:
    """Kill the run, if it has not ended by itself."""
    if run.is_over:
        trial.expect(run, ExitCode.FINISHED)
        return False
    if left := run.kill():
        trial.problems.append(f"{len(left)} processes outlived the crawler")
    trial.struck(moment)
    return True


def _is_gone(path: str, run: int) -> bool:
    return path.endswith("7") and run > 0


def _missing(path: str) -> Answer:
    """Some are not found, one has moved, and of one the owner now reserves the use."""
    if path == "/page/17":
        return lambda exchange: exchange.send("301 Moved", b"", {"Location": PATHS[0]})
    if path == "/page/27":
        reserved = {"TDM-Reservation": "1"}
        body = f"{path}, edition 0"
        return lambda exchange: exchange.send("200 OK", html_of(body).encode(), reserved)
    return not_found
