"""Revisits under one budget: fixed intervals, Nutch's rule, ours, and the best that is possible.

The budget is one visit of each page in ten mean change intervals. With skewed rates this has two
meanings, which differ much: ten times the inverse of the mean rate, or ten times the mean of the
pages' intervals, which are as long as those of the slowest pages make them.
"""

from __future__ import annotations

import argparse
from typing import Final

import numpy as np

from benchmarks.recrawl.policies import POLICIES
from benchmarks.recrawl.simulation import simulate
from benchmarks.recrawl.sites import SITES, site_of
from benchmarks.report import Cell, Report
from corpus_commons.terminal.arguments import positive
from crawler.recrawl.host_counts import Bounds

SUMMARY = "compare policies of revisits on simulated sites whose changes are known"
# In mean change intervals.
_INTERVAL: Final = 10.0
# In intervals of the budget; as in a job with interval = "7d" and the default bounds.
_LEAST: Final = 1 / 168
_GREATEST: Final = 30 / 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pages", type=positive, default=100_000, help="of a site (%(default)s)")
    parser.add_argument(
        "--rounds",
        type=positive,
        default=120,
        help="visits of each page on average; the second half is measured (%(default)s)",
    )
    parser.add_argument("--site", choices=SITES, help="only this site")


def run(arguments: argparse.Namespace, report: Report) -> int:
    sites = [arguments.site] if arguments.site else list(SITES)
    columns = {
        "site": "",
        "policy": "",
        "freshness": ".3f",
        "of the optimum": ".3f",
        "age": ".2f",
        "wasted visits": ".3f",
        "visits, of the budget": ".3f",
        "delay of new pages": ".3f",
    }
    rows = [row for name in sites for row in _rows(name, arguments.pages, arguments.rounds)]
    report.table("policies", columns, rows)
    return 0


def _rows(name: str, pages: int, rounds: int) -> list[tuple[Cell, ...]]:
    """The figures of all policies on a site; times are in intervals of the budget."""
    bounds = Bounds(_INTERVAL, _LEAST * _INTERVAL, _GREATEST * _INTERVAL)
    found = {}
    for policy, make in POLICIES.items():
        site = site_of(name, pages, np.random.default_rng(1))
        rule = make(site, bounds, np.random.default_rng(2))
        found[policy] = simulate(site, rule, _INTERVAL, rounds)
    best = found["clairvoyant"].fresh
    listed = int(site.lists.sum())
    time = (pages - listed) * rounds / 2 * _INTERVAL
    return [
        (
            name,
            policy,
            one.fresh / time,
            one.fresh / best,
            one.age / time / _INTERVAL,
            one.wasted / one.visits,
            one.visits / (pages * rounds / 2),
            one.waited / one.entries / _INTERVAL if listed else None,
        )
        for policy, one in found.items()
    ]
