"""What the policy of revisits reaches: a short version of ``python -m benchmarks recrawl``."""

from __future__ import annotations

import numpy as np

from benchmarks.recrawl.policies import POLICIES
from benchmarks.recrawl.simulation import Measures, simulate
from benchmarks.recrawl.sites import site_of
from crawler.recrawl.host_counts import Bounds

PAGES, INTERVAL = 2_000, 10.0
BOUNDS = Bounds(INTERVAL, INTERVAL / 168, INTERVAL * 30 / 7)


def measured(site: str, policy: str, rounds: int) -> Measures:
    """In the second half of so many visits of each page."""
    pages = site_of(site, PAGES, np.random.default_rng(1))
    rule = POLICIES[policy](pages, BOUNDS, np.random.default_rng(2))
    found = simulate(pages, rule, INTERVAL, rounds)
    assert found.visits <= 1.01 * PAGES * rounds / 2
    return found


def test_pages_are_nearly_as_fresh_as_they_can_be() -> None:
    ours, best, fixed = (
        measured("skewed rates, mean interval 1", policy, 60).fresh
        for policy in ("ours", "clairvoyant", "fixed")
    )
    assert 1.3 * fixed < ours
    assert 0.93 * best < ours


def test_new_pages_of_feeds_are_found_in_half_the_time() -> None:
    ours, fixed = (measured("with feeds", policy, 20) for policy in ("ours", "fixed"))
    assert ours.waited / ours.entries < fixed.waited / fixed.entries / 2
