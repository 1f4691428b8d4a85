"""Kills, full disks and bad servers: does the real program lose anything?"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.faults.crawl import FaultCrawl
from benchmarks.faults.site import FaultSite, library
from benchmarks.faults.trials import (
    Part,
    Trial,
    filled_disk,
    killed_crawler,
    killed_parts,
    small_disk,
    undisturbed,
)
from benchmarks.report import Report

_COUNTS: Final = ("struck", "crawls", "documents", "lost", "repeats", "promises broken")
SUMMARY: Final = (
    "kill crawlers and browsers and fill disks at random moments; check that nothing is lost"
)
LATENCY: Final = 0.03
_DISK: Final = "64m"

KINDS: Final = ("crawler", "group", "worker", "disk", "browser")


@dataclass(frozen=True, slots=True)
class Plan:
    """The command line's options; see ``add_arguments``."""

    kills: int
    per_crawl: int
    pages: int
    rendered: int
    seed: int
    only: Sequence[str]

    def trials(self, kind: str, one: Callable[[str, random.Random, int], Trial]) -> Iterator[Trial]:
        """As many crawls as needed for the number of kills; ``one`` runs one of them."""
        left, number = self.kills, 0
        while left > 0:
            name = f"{kind}-{number}"
            chance = random.Random(f"{self.seed} {name}")
            trial = one(name, chance, min(left, self.per_crawl))
            found = "; ".join(trial.problems) or "nothing lost"
            sys.stderr.write(f"{trial.fault} {number} at {trial.moments} s: {found}\n")
            left -= len(trial.moments)
            number += 1
            yield trial


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kills", type=int, default=20, help="kills per kind (%(default)s)")
    parser.add_argument("--per-crawl", type=int, default=5, help="kills per crawl (%(default)s)")
    parser.add_argument(
        "--pages", type=int, default=250, help="pages of the static site (%(default)s)"
    )
    parser.add_argument(
        "--rendered", type=int, default=60, help="pages of the rendered site (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed for the random times (%(default)s)"
    )
    parser.add_argument(
        "--only", nargs="+", choices=KINDS, default=KINDS, help="only these kinds of fault"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    """0 if every guarantee held, 1 otherwise."""
    given = vars(arguments)
    plan = Plan(**{field.name: given[field.name] for field in fields(Plan)})
    trials: list[Trial] = []
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        if any(kind != "browser" for kind in plan.only):
            trials += _static(Path(name, "static"), plan)
        if "browser" in plan.only:
            trials += _rendered(Path(name, "rendered"), plan)
    _tabulate(trials, report)
    broken = sum(len(trial.problems) for trial in trials)
    seconds = time.monotonic() - begin
    report.say(f"{broken} guarantees broken; seed {plan.seed}; {seconds:.0f} s")
    return 1 if broken else 0


def _static(folder: Path, plan: Plan) -> Iterator[Trial]:
    with FaultSite(library(plan.pages), latency=LATENCY) as site:
        whole, seconds = undisturbed(FaultCrawl(folder / "whole", site.base), site)

        def kill(name: str, chance: random.Random, kills: int, *, group: bool = False) -> Trial:
            crawl = FaultCrawl(folder / name, site.base)
            return killed_crawler(
                crawl, site, whole, chance, kills=kills, seconds=seconds, group=group
            )

        def kill_worker(name: str, chance: random.Random, kills: int) -> Trial:
            crawl = FaultCrawl(folder / name, site.base)
            return killed_parts(crawl, site, whole, chance, Part.PAGE_WORKER, kills=kills)

        def fill(name: str, chance: random.Random, _: int) -> Trial:
            with small_disk(_DISK) as disk:
                crawl = FaultCrawl(folder / name, site.base, place=disk / "job")
                return filled_disk(crawl, site, whole, chance, seconds=seconds)

        makers: dict[str, Callable[[str, random.Random, int], Trial]] = {
            "crawler": kill,
            "group": partial(kill, group=True),
            "worker": kill_worker,
            "disk": fill,
        }
        for kind in plan.only:
            if kind in makers:
                yield from plan.trials(kind, makers[kind])


def _rendered(folder: Path, plan: Plan) -> Iterator[Trial]:
    with FaultSite(library(plan.rendered), latency=LATENCY) as site:
        crawl = FaultCrawl(folder / "whole", site.base, rendering="always")
        whole, _ = undisturbed(crawl, site)

        def kill(name: str, chance: random.Random, kills: int) -> Trial:
            rendering = replace(crawl, folder=folder / name, tries=5)
            return killed_parts(rendering, site, whole, chance, Part.BROWSER, kills=kills)

        yield from plan.trials("browser", kill)


def _tabulate(trials: list[Trial], report: Report) -> None:
    rows = []
    for fault in dict.fromkeys(trial.fault for trial in trials):
        of = [trial for trial in trials if trial.fault == fault]
        cells = (
            sum(len(trial.moments) for trial in of),
            len(of),
            sum(trial.documents for trial in of),
            sum("is missing" in problem for trial in of for problem in trial.problems),
            sum(trial.repeats for trial in of),
            sum(len(trial.problems) for trial in of),
        )
        rows.append((fault, *cells))
    report.table("faults", {"fault": "", **dict.fromkeys(_COUNTS, "d")}, rows)
