"""Many workers on one Redis: is anything lost if they are killed, and how many can it supply?"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import Final

from benchmarks.fleet.chaos import Outcome, Plan, chaos
from benchmarks.fleet.scale import scale
from benchmarks.report import Cell, Report

SUMMARY: Final = "kill workers and their Redis (--chaos), or measure the rate of leases (--scale)"
_PLAN: Final = Plan()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--chaos",
        action="store_true",
        help="kill workers and Redis, then check that nothing is lost",
    )
    what.add_argument(
        "--scale", action="store_true", help="measure leases per second, by number of workers"
    )
    for name, text in (
        ("pages", "pages of the site"),
        ("hosts", "hosts of the site"),
        ("workers", "number of workers"),
        ("delay", "seconds between two visits to a host"),
        ("kill-every", "mean seconds between two kills of a worker"),
        ("restarts", "restarts of Redis"),
        ("seed", "seed for the random times"),
        ("seconds", "time limit of the crawl"),
    ):
        default = getattr(_PLAN, name.replace("-", "_"))
        parser.add_argument(
            f"--{name}", type=type(default), default=default, help=f"{text} (%(default)s)"
        )
    parser.add_argument("--folder", type=Path, help="a new folder that is kept for inspection")


def run(arguments: argparse.Namespace, report: Report) -> int:
    """0 if every guarantee held, 1 otherwise."""
    if arguments.scale:
        scale(report)
        return 0
    plan = Plan(**{one.name: getattr(arguments, one.name) for one in fields(Plan)})
    if arguments.folder:
        return _conclude(chaos(arguments.folder, plan), plan, report)
    with tempfile.TemporaryDirectory(prefix="fleet-") as folder:
        return _conclude(chaos(Path(folder), plan), plan, report)


def _conclude(outcome: Outcome, plan: Plan, report: Report) -> int:
    rows: list[tuple[str, Cell]] = [
        (f"pages, on {plan.hosts} hosts", plan.pages),
        ("workers", plan.workers),
        ("kills of workers", outcome.kills),
        ("restarts of Redis", outcome.restarts),
        ("exit codes", ", ".join(map(str, outcome.exit_codes))),
        ("requests, including robots.txt", outcome.requests),
        ("duplicate lines", outcome.repeats),
        ("lines after the merge", outcome.lines),
        ("promises broken", len(outcome.problems)),
        ("seconds", round(outcome.seconds)),
    ]
    report.table("chaos", {"": "", f"seed {plan.seed}": ",d"}, rows)
    for problem in outcome.problems[:20]:
        report.say(problem)
    return 1 if outcome.problems else 0
