"""When a known page is visited again, and what is remembered of it until then."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.frontier import Candidate, Lease, Visit
from crawler.recrawl.change_rate import prior, visited
from crawler.recrawl.hints import followed
from crawler.recrawl.history import LONGEST, History
from crawler.recrawl.observation import Observation, Seen
from crawler.recrawl.revisits import Revisits
from crawler.recrawl.validators import MOST_UNREAD, conditions
from settings import Job

HOUR, DAY = 3_600.0, 86_400.0
URL, HOST = "http://a.test/", "a.test"


class Crawl:
    """The policy of a crawl, and what a frontier would keep of one page and its host."""

    def __init__(self, **table: Any) -> None:
        job = Job.model_validate(
            {"name": "x", "seeds": {"urls": [URL]}, "recrawl": table,
             "politeness": {"contact": "me@a.test"}}
        )  # fmt: skip
        self.now = 1_764_000_000.0
        self.history = ""
        self.counts: Counter[str] = Counter()
        rng = np.random.default_rng(1)
        self.policy = Revisits(job, self._counts_of, clock=lambda: self.now, rng=rng)

    async def _counts_of(self, host: str) -> Mapping[str, float]:
        assert host == HOST
        return self.counts

    def visit(
        self,
        seen: Seen = "changed",
        *,
        hinted: bool = False,
        cache: str = "",
        depth: int = 1,
        kind: str = "",
        **found: Any,
    ) -> Visit | None:
        """Visit the page; it is time for the next visit then."""
        lease = Lease(URL, HOST, depth, 0, 1, 0, 0.0, "", kind, self.history, hinted)
        headers = (("etag", '"1"'), *((("cache-control", cache),) if cache else ()))
        observed = Observation(seen=seen, headers=headers, **found)
        visit, counts = asyncio.run(self.policy.after(lease, observed))
        self.counts.update(counts)
        if visit is not None:
            self.history = visit.history
            self.now += visit.after
        return visit

    def interval(self, seen: Seen, **found: Any) -> float:
        visit = self.visit(seen, **found)
        assert visit is not None
        return visit.after

    @property
    def remembered(self) -> History:
        return History.read(self.history)

    def conditions(self) -> dict[str, str]:
        return conditions(self.remembered, self.policy.scope)


@pytest.fixture
def fixed() -> Crawl:
    return Crawl(policy="fixed", interval="1d")


# When


def test_a_job_without_the_table_visits_nothing_again() -> None:
    crawl = Crawl()
    assert not crawl.policy.is_on
    assert crawl.visit() is None
    assert crawl.counts == {}


@pytest.mark.parametrize(
    ("seen", "lease", "days"),
    [
        ("gone", {"depth": 1}, 30),
        ("failed", {"depth": 1}, 1),
        ("gone", {"depth": 0}, 1),
        ("failed", {"depth": 0, "kind": "feed"}, 1 / 4),
        ("failed", {"depth": 0, "kind": "sitemap"}, 1 / 2),
        ("failed", {"depth": 0, "kind": "robots"}, 1 / 2),
    ],
)
def test_what_is_not_found_at_first_is_tried_again(
    seen: Seen, lease: dict[str, Any], days: float
) -> None:
    crawl = Crawl(policy="fixed", interval="1d", greatest={"feed": "6h", "sitemap": "12h"})
    assert [crawl.interval(seen, **lease) for _ in range(3)] == [days * DAY] * 3
    assert crawl.counts == {}
    found_at = crawl.now
    crawl.visit(**lease)
    assert crawl.remembered == History(
        visited_at=int(found_at),
        first_seen=int(found_at),
        changed_at=int(found_at),
        etag='"1"',
        interval=crawl.remembered.interval,
        scope=crawl.policy.scope,
    )


def test_an_interval_is_kept_by_every_page(fixed: Crawl) -> None:
    seen: tuple[Seen, ...] = ("changed", "unchanged", "not-modified", "changed", "failed")
    assert [fixed.interval(one) for one in seen] == [DAY] * 5


def test_a_page_that_is_missing_is_soon_looked_at_again_and_then_seldom(fixed: Crawl) -> None:
    fixed.visit()
    assert [fixed.interval("gone") for _ in range(3)] == [DAY / 2, 30 * DAY, 30 * DAY]
    assert fixed.remembered.misses == 3
    assert fixed.interval("unchanged") == DAY
    assert fixed.remembered.misses == 0


def test_a_page_that_was_gone_is_read_until_a_text_is_kept(fixed: Crawl) -> None:
    fixed.visit(version=1)
    assert fixed.conditions()
    fixed.visit("gone")
    assert fixed.conditions()
    fixed.visit("gone")
    for is_back in (False, False, True):
        assert fixed.conditions() == {}
        fixed.visit("changed" if is_back else "unchanged", version=1 + is_back)
    assert fixed.conditions()


@pytest.mark.parametrize(
    ("cache", "hours"),
    [("max-age=172800", 48), ("no-cache, max-age=172800", 24), ("max-age=9999999999", 30 * 24)],
)
def test_a_page_is_left_alone_while_it_is_fresh(fixed: Crawl, cache: str, hours: float) -> None:
    assert fixed.interval("changed", cache=cache) == hours * HOUR


@pytest.mark.parametrize("policy", ["fixed", "adaptive"])
def test_intervals_are_within_the_bounds_of_the_page_type(policy: str) -> None:
    bounds = {"least": {"forum": "3d"}, "greatest": {"forum": "4d", "product": "5h"}}
    for page_type, least, greatest in (("forum", 72, 96), ("product", 1, 5)):
        crawl = Crawl(policy=policy, interval="1d", **bounds)
        for seen in ("changed", "unchanged", "changed", "unchanged"):
            assert least * HOUR <= crawl.interval(seen, page_type=page_type) <= greatest * HOUR


def test_a_page_that_changes_is_visited_more_often_than_one_that_does_not() -> None:
    """Of two on one host, of which the first changes every two days."""
    crawl = Crawl(policy="adaptive", interval="1d")
    histories = ["", ""]
    planned: tuple[list[float], list[float]] = ([], [])
    for number in range(160):
        page = number % 2
        crawl.history = histories[page]
        last = crawl.remembered.visited_at if crawl.history else 0
        is_new = page == 0 and crawl.now // (2 * DAY) > last // (2 * DAY)
        planned[page].append(crawl.interval("changed" if is_new else "unchanged"))
        histories[page] = crawl.history
    changing, still = (np.mean(after[40:]) for after in planned)
    assert changing < still / 2


def test_an_estimate_does_not_depend_on_how_often_a_page_is_visited() -> None:
    rng, true_rate, pages = np.random.default_rng(3), 1 / DAY, 4_000
    for seconds in (DAY / 10, DAY, 3 * DAY):
        rate = prior(5 / DAY)
        rate = type(rate)(*(np.full(pages, number) for number in rate))
        for _ in range(60):
            has_changed = rng.random(pages) < -np.expm1(-true_rate * seconds)
            rate = visited(rate, has_changed, seconds)
        assert np.median(rate.mean) == pytest.approx(true_rate, rel=0.15)


# Conditions


def test_a_server_that_says_not_modified_for_ever_is_not_believed(fixed: Crawl) -> None:
    fixed.visit()
    for _ in range(MOST_UNREAD):
        assert fixed.conditions() == {"If-None-Match": '"1"'}
        fixed.visit("not-modified")
    assert fixed.conditions() == {}
    fixed.visit("unchanged")
    assert fixed.conditions() != {}


# Hints


def hints_followed(crawl: Crawl) -> int:
    """Of twenty."""
    listed = [Candidate(f"{URL}{number}", changed_at=crawl.now - number) for number in range(20)]
    found = asyncio.run(followed(listed, crawl.policy.hints_to_follow))
    return sum(one.changed_at is not None for one in found)


@pytest.mark.parametrize(("seen", "number"), [("changed", 20), ("unchanged", 1)])
def test_hints_are_followed_as_far_as_they_prove_right(
    fixed: Crawl, seen: Seen, number: int
) -> None:
    fixed.visit()
    assert hints_followed(fixed) == 10
    for _ in range(12):
        fixed.visit(seen, hinted=True)
    assert hints_followed(fixed) == number


def test_hints_may_be_turned_off() -> None:
    assert hints_followed(Crawl(policy="fixed", hints=False)) == 0


def test_no_hint_makes_a_visit_too_soon() -> None:
    """The frontier follows one that is later than the last visit."""
    crawl = Crawl(policy="fixed", least={"default": "2h"})
    dates = {ago: datetime.fromtimestamp(crawl.now - ago, UTC).isoformat() for ago in (0, DAY)}
    assert crawl.policy.hint(dates[0]) == crawl.now - 2 * HOUR
    assert crawl.policy.hint(dates[DAY]) == crawl.now - DAY
    assert [crawl.policy.hint(date) for date in ("", "soon", "2199-01-01")] == [None] * 3
    assert Crawl().policy.hint(dates[DAY]) is None


# Histories

TEXTS = st.text(max_size=30)
TIMES = st.integers(0, 2**40)
NUMBERS = st.floats(0, 1e12, allow_nan=False)
KINDS = {"str": TEXTS, "int": TIMES, "float": NUMBERS, "float | None": st.none() | NUMBERS}


@settings(max_examples=30)
@given(st.fixed_dictionaries({field.name: KINDS[str(field.type)] for field in fields(History)}))
def test_what_is_remembered_is_read_again(values: dict[str, Any]) -> None:
    history = History(**values)
    text = history.text()
    assert 0 < len(text) <= LONGEST
    assert History.read(text) == history


@pytest.mark.parametrize("text", ["", "{}", "[]", "[1]", "nonsense", '["a"' + ",0" * 12 + "]"])
def test_what_is_no_history_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its message is of no use to anybody
        History.read(text)


def test_what_an_earlier_version_remembered_is_read() -> None:
    before = History(visited_at=3, first_seen=1, changed_at=2, version=4, unread=5)
    assert History.read('[3,1,2,4,"","","",0,0,0.0,0.0,0,5]') == before


def test_what_rendering_brought_is_remembered_until_it_is_rendered_again(fixed: Crawl) -> None:
    fixed.visit(gain=0.5)
    for seen in ("unchanged", "not-modified", "gone", "changed"):
        fixed.visit(seen)
        assert fixed.remembered.gain == 0.5
    fixed.visit("unchanged", gain=0.0)
    assert fixed.remembered.gain == 0.0


def test_what_rendering_brought_fades_while_that_fails(fixed: Crawl) -> None:
    fixed.visit("changed")
    fixed.visit("failed", gain=0.0)
    assert fixed.remembered.gain is None
    fixed.visit(gain=0.5)
    for gain, faded in ((None, 0.5), (0.0, 0.25), (0.0, 0.125)):
        fixed.visit("failed", gain=gain)
        assert fixed.remembered.gain == faded


def test_a_page_whose_history_cannot_be_read_is_seen_for_the_first_time(fixed: Crawl) -> None:
    fixed.history = "of another version"
    assert fixed.interval("changed") == DAY
    assert fixed.remembered.first_seen == fixed.remembered.visited_at


def test_a_long_etag_is_not_kept() -> None:
    history = History(visited_at=1, first_seen=1, changed_at=1, etag=f'"{"x" * 2000}"')
    assert History.read(history.text()) == replace(history, etag="")
