"""Kills, full disks and bad servers: does the real program lose anything?"""

from __future__ import annotations

import argparse
import contextlib
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from benchmarks.fault_crawl import FaultCrawl, end_children
from benchmarks.fault_site import FaultSite, library
from benchmarks.faults.progress import Progress
from benchmarks.faults.trials import (
    Part,
    Trial,
    filled_disk,
    killed_crawler,
    killed_parts,
    small_disk,
    undisturbed,
)
from benchmarks.faults.versions import killed_recrawl
from benchmarks.fleet.chaos import Plan as FleetPlan
from benchmarks.fleet.chaos import chaos
from benchmarks.recrawl.second_crawl import RecrawlOfAll
from benchmarks.redis_process import RedisProcess
from benchmarks.report import Report
from corpus_commons.terminal.arguments import positive

_COUNTS: Final = ("struck", "crawls", "documents", "lost", "repeats", "promises broken")
SUMMARY: Final = (
    "kill every kind of process and fill disks at random moments; check that nothing is lost"
)
LATENCY: Final = 0.03
_DISK: Final = "64m"
# The longest time between two kills in one crawl, in seconds.
_PAUSE: Final = 3.0


class Maker(Protocol):
    """Runs a trial in a folder, at moments by chance, with at most so many faults."""

    def __call__(self, place: Path, chance: random.Random, kills: int) -> Trial: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """The command line's options; see ``add_arguments``."""

    kills: int
    per_crawl: int
    pages: int
    rendered: int
    seed: int
    only: Sequence[str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--kills", type=positive, default=20, help="kills per kind (%(default)s)")
    parser.add_argument(
        "--per-crawl", type=positive, default=5, help="kills per crawl (%(default)s)"
    )
    parser.add_argument(
        "--pages", type=positive, default=250, help="pages of the static site (%(default)s)"
    )
    parser.add_argument(
        "--rendered", type=positive, default=60, help="pages of the rendered site (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed for the random times (%(default)s)"
    )
    parser.add_argument(
        "--only", nargs="+", choices=KINDS, default=list(KINDS), help="only these kinds of fault"
    )
    parser.add_argument(
        "--folder",
        type=Path,
        help="keep the progress here: stopped and started again, the run goes on; "
        "crawls that broke a promise are kept, too",
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    """0 if every guarantee held, 1 otherwise. Raises ProgressError."""
    given = vars(arguments)
    options = {field.name: given[field.name] for field in fields(Plan)}
    plan = Plan(**options)
    begin = time.monotonic()
    trials: list[Trial] = []
    # Ended as by Ctrl-C, so that no crawl is left behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        folder = arguments.folder or Path(name)
        progress = Progress(folder, options)
        try:
            trials.extend(_trials(plan, folder / "crawls", progress))
        except KeyboardInterrupt:
            report.say("stopped; the same command goes on" if arguments.folder else "stopped")
        finally:
            end_children()
    _tabulate(trials, report)
    broken = sum(len(trial.problems) for trial in trials)
    struck = sum(len(trial.moments) for trial in trials)
    seconds = time.monotonic() - begin
    report.say(f"{struck} faults, {broken} guarantees broken; seed {plan.seed}; {seconds:.0f} s")
    return 1 if broken else 0


def _trials(plan: Plan, folder: Path, progress: Progress) -> Iterator[Trial]:
    """Trials of all kinds in turn, until each kind has had its number of faults.

    Those that an earlier run has concluded are not repeated.
    """
    shutil.rmtree(folder / "new", ignore_errors=True)
    left = dict.fromkeys(plan.only, plan.kills)
    number = 0
    with contextlib.ExitStack() as stack:
        makers: dict[str, Maker] = {}
        while left:
            for kind in list(left):
                trial = progress.known(kind, number)
                if trial is None:
                    if kind not in makers:
                        ground = folder / "new" / "grounds" / kind
                        makers[kind] = stack.enter_context(KINDS[kind](plan, ground))
                    name = f"{kind}-{number}"
                    chance = random.Random(f"{plan.seed} {name}")
                    make = partial(
                        makers[kind], chance=chance, kills=min(left[kind], plan.per_crawl)
                    )
                    trial = _concluded(name, make, folder)
                    progress.add(kind, number, trial)
                left[kind] -= len(trial.moments)
                if left[kind] <= 0:
                    del left[kind]
                yield trial
            number += 1


def _concluded(name: str, make: Callable[[Path], Trial], folder: Path) -> Trial:
    """A trial from its start to its audit; its folder is kept only if a promise was broken."""
    place = folder / "new" / name
    began = time.monotonic()
    try:
        trial = make(place)
    except TimeoutError as error:
        end_children()
        # A strike, so that a kind that always hangs comes to its end.
        trial = Trial(name, moments=[0.0], problems=[str(error)])
    seconds = time.monotonic() - began
    found = "; ".join(trial.problems) or "nothing lost"
    sys.stderr.write(f"{name}: {trial.fault} at {trial.moments} s; {seconds:.0f} s: {found}\n")
    if trial.problems:
        (folder / "broken").mkdir(exist_ok=True)
        shutil.rmtree(folder / "broken" / name, ignore_errors=True)
        place.rename(folder / "broken" / name)
    else:
        shutil.rmtree(place, ignore_errors=True)
    return trial


@contextlib.contextmanager
def _crawlers(plan: Plan, folder: Path, *, group: bool) -> Iterator[Maker]:
    with FaultSite(library(plan.pages), latency=LATENCY) as site:
        whole, seconds = undisturbed(FaultCrawl(folder, site.base), site)

        def kill(place: Path, chance: random.Random, kills: int) -> Trial:
            crawl = FaultCrawl(place, site.base)
            return killed_crawler(
                crawl, site, whole, chance, kills=kills, seconds=seconds / 3, group=group
            )

        yield kill


@contextlib.contextmanager
def _reading(plan: Plan, folder: Path, *, part: Part) -> Iterator[Maker]:
    with FaultSite(library(plan.pages), latency=LATENCY) as site:
        whole, _ = undisturbed(FaultCrawl(folder, site.base), site)

        def kill(place: Path, chance: random.Random, kills: int) -> Trial:
            crawl = FaultCrawl(place, site.base)
            return killed_parts(crawl, site, whole, chance, part, kills=kills, pause=_PAUSE)

        yield kill


@contextlib.contextmanager
def _disks(plan: Plan, folder: Path) -> Iterator[Maker]:
    with FaultSite(library(plan.pages), latency=LATENCY) as site:
        whole, seconds = undisturbed(FaultCrawl(folder, site.base), site)

        def fill(place: Path, chance: random.Random, kills: int) -> Trial:
            with small_disk(_DISK) as disk:
                crawl = FaultCrawl(place, site.base, place=disk / "job")
                return filled_disk(crawl, site, whole, chance, seconds=seconds)

        yield fill


@contextlib.contextmanager
def _rendering(plan: Plan, folder: Path, *, part: Part) -> Iterator[Maker]:
    answers = library(plan.rendered)
    # With so many tries it would be waited for longer than all else takes.
    del answers["/broken"]
    with FaultSite(answers, latency=LATENCY) as site:
        crawl = FaultCrawl(folder, site.base, rendering="always")
        whole, _ = undisturbed(crawl, site)

        def kill(place: Path, chance: random.Random, kills: int) -> Trial:
            # However slow the machine is: every kill may strike the same page.
            rendering = replace(crawl, folder=place, tries=5 + kills)
            return killed_parts(rendering, site, whole, chance, part, kills=kills, pause=_PAUSE)

        yield kill


@contextlib.contextmanager
def _fleets(plan: Plan, _: Path) -> Iterator[Maker]:
    def kill(place: Path, chance: random.Random, kills: int) -> Trial:
        fleet = FleetPlan(
            pages=2 * plan.pages,
            workers=3,
            delay=0.1,
            kill_every=1.0,
            seed=chance.randrange(1 << 32),
            seconds=600,
        )
        outcome = chaos(place, fleet)
        return Trial(
            "kill -9 of a fleet's workers, alone or with their children, and of Redis",
            [round(moment, 2) for moment in outcome.moments],
            outcome.problems,
            outcome.repeats,
            outcome.lines,
        )

    yield kill


@contextlib.contextmanager
def _recrawls(_: Plan, folder: Path, *, on_redis: bool) -> Iterator[Maker]:
    with contextlib.ExitStack() as stack:
        site = stack.enter_context(FaultSite(latency=LATENCY))

        def kill(place: Path, chance: random.Random, kills: int) -> Trial:
            with contextlib.ExitStack() as servers:
                crawl = RecrawlOfAll(place, site.base, processes=1)
                if on_redis:
                    state = place / "redis"
                    state.mkdir(parents=True)
                    redis = servers.enter_context(RedisProcess(state, append_only=True))
                    crawl = replace(crawl, frontier=redis.url)
                return killed_recrawl(crawl, site, chance, kills=kills)

        yield kill


# What is struck, and how a kind's site and its trials are made; the sites are open until the end.
KINDS: Final[dict[str, Callable[[Plan, Path], contextlib.AbstractContextManager[Maker]]]] = {
    "crawler": partial(_crawlers, group=False),
    "group": partial(_crawlers, group=True),
    "worker": partial(_reading, part=Part.PAGE_WORKER),
    "worker-server": partial(_reading, part=Part.WORKER_SERVER),
    "disk": _disks,
    "browser": partial(_rendering, part=Part.BROWSER),
    "renderer": partial(_rendering, part=Part.RENDERER),
    "driver": partial(_rendering, part=Part.DRIVER),
    "fleet": _fleets,
    "recrawl": partial(_recrawls, on_redis=False),
    "recrawl-redis": partial(_recrawls, on_redis=True),
}


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
