"""The end that is estimated is the end that comes."""

from __future__ import annotations

import math
import random

import pytest

from live.estimate import SPACING, Course, End, Sample


def course(
    *, left: float, drained: float, pages: float, samples: int = 20
) -> tuple[Course, Sample]:
    """A crawl with steady rates per second, seen at equal intervals."""
    made = Course()
    for number in range(samples):
        at = number * SPACING
        now = Sample(at, round(left - drained * at), round(pages * at))
        made.add(now)
    return made, now


def test_nothing_is_said_in_the_first_seconds() -> None:
    made, now = course(left=1000, drained=2, pages=2, samples=3)
    assert made.end(now) is None


def test_a_steady_crawl_ends_when_its_urls_run_out() -> None:
    made, now = course(left=1000, drained=2, pages=2)
    assert made.end(now) == End(now.left / 2, now.left / 2, now.left / 2)


def test_a_limit_ends_it_if_it_comes_first() -> None:
    made, now = course(left=1000, drained=2, pages=4)
    left = 500 - now.pages
    assert made.end(now, most_pages=500) == End(left / 4, left / 4, left / 4, "limits.pages = 500")
    end = made.end(now, most_pages=500, seconds_left=(7.0, 'limits.total_time = "1h"'))
    assert end == End(7.0, 7.0, 7.0, 'limits.total_time = "1h"')


def test_a_crawl_that_finds_more_than_it_fetches_has_no_end_in_sight() -> None:
    made, now = course(left=1000, drained=-3, pages=2)
    assert made.end(now) == End(None, math.inf, None)


def test_the_host_with_the_most_urls_is_waited_for() -> None:
    made, now = course(left=1000, drained=100, pages=100, samples=5)
    end = made.end(now, longest_host=10_000)
    assert end == End(10_000, 10_000, 10_000)


def test_what_was_before_a_new_run_is_forgotten() -> None:
    made, now = course(left=1000, drained=2, pages=2)
    begun = Sample(now.at + SPACING, 1000, 0)
    made.add(begun)
    assert made.end(begun) is None


def test_a_pause_is_forgotten() -> None:
    made, now = course(left=1000, drained=2, pages=2)
    made.forget()
    assert made.end(now) is None


@pytest.mark.parametrize("rate", [0.5, 3.0, 15.0])
def test_the_interval_holds_the_true_end_as_often_as_it_says(rate: float) -> None:
    """Pages come at random (a Poisson process); a third of them brings a new URL."""
    chance = random.Random(7)
    held, tries = 0, 200
    for _ in range(tries):
        made, at, left, pages = Course(), 0.0, 50_000, 0
        while at < 300:
            made.add(Sample(at, left, pages))
            done = sum(1 for _ in range(100) if chance.random() < rate * SPACING / 100)
            left += sum(chance.random() < 1 / 3 for _ in range(done)) - done
            pages += done
            at += SPACING
        end = made.end(Sample(at, left, pages))
        assert end is not None
        truth = left / (rate * 2 / 3)
        held += end.earliest <= truth <= (math.inf if end.latest is None else end.latest)
    assert 0.9 <= held / tries <= 0.99
