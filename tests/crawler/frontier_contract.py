"""What every frontier promises, as a test. An implementation passes all of it.

Subclass ``FrontierContract`` in a test module that has two fixtures: ``clock``, a ``Clock``, and
``make``, a ``Make`` whose frontiers live by that clock. Time stands still unless a test lets it
pass.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from blocking_frontier import (
    EAGER,
    POLITE,
    Blocking,
    Clock,
    Make,
    accounted,
    pages,
    urls,
)
from dead_letters_contract import DeadLettersContract
from host_failures_contract import HostFailuresContract
from limits_contract import LimitsContract
from revisits_contract import RevisitsContract
from turns_contract import TurnsContract

from crawler.frontier import Ack, Candidate, Policy


class FrontierContract(
    TurnsContract, LimitsContract, RevisitsContract, DeadLettersContract, HostFailuresContract
):
    @pytest.fixture
    def eager(self, make: Make) -> Blocking:
        """A frontier that gives out whatever it has."""
        return make(EAGER)

    @pytest.fixture
    def polite(self, make: Make) -> Blocking:
        """A frontier with one visit a host at a time, 10 seconds apart."""
        return make(POLITE)

    # Outcomes that were not final

    def test_what_became_of_urls_that_were_done_is_counted_once(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 5))
        eager.ack_all([Ack(lease, "held") for lease in eager.lease(5)])
        for _ in range(2):
            eager.recount("worker-1", 7, {"held": -2, "kept": 1, "rejected: too-short": 1})
        eager.recount("worker-1", 6, {"held": -1, "kept": 1})
        assert eager.stats().outcomes == {"held": 3, "kept": 1, "rejected: too-short": 1}
        eager.recount("worker-2", 7, {"held": -3, "kept": 3})
        assert eager.stats().outcomes == {"kept": 4, "rejected: too-short": 1}
        assert eager.stats().done == 5

    # Adding

    def test_a_url_is_new_once(self, eager: Blocking) -> None:
        assert eager.add_urls("http://a.test/1", "http://a.test/2", "http://a.test/1") == 2
        assert eager.add_urls("http://a.test/2", "http://a.test/3") == 1
        assert eager.stats().added == 3

    def test_other_spellings_are_not_new(self, eager: Blocking) -> None:
        eager.add_urls("http://a.test/shop?b=2&a=1")
        assert not eager.add_urls(
            "HTTP://A.test:80/shop?a=1&b=2#reviews", "http://a.test/x/../shop?b=2&a=1&utm_source=x"
        )

    def test_a_url_of_another_kind_is_another(self, eager: Blocking) -> None:
        assert eager.add_urls("http://a.test/feed") == 1
        assert eager.add_urls("http://a.test/feed", kind="feed", note="feed") == 1
        assert eager.add_urls("http://a.test/feed", kind="sitemap", note="map") == 1
        assert not eager.add_urls("http://a.test/feed", "HTTP://a.test/feed#x", kind="feed")
        assert sorted(lease.note for lease in eager.lease(9)) == ["", "feed", "map"]

    def test_it_stays_seen_in_every_state(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 4))
        done, dying, _leased = eager.lease(3)
        eager.ack(done, "kept")
        for _ in range(EAGER.tries):
            eager.release(dying, reason="refused", retry_after=0)
            (dying,) = eager.lease(1) or [dying]
        assert eager.stats().dead == 1
        assert not eager.add_urls(*pages("a.test", 4))

    def test_what_is_no_web_url_is_refused_and_counted(self, eager: Blocking) -> None:
        bad = ("mailto:a@b.c", "ftp://a.test/", "http://", "/relative", "http://u:p@a.test/", "")
        assert eager.add_urls(*bad, "http://a.test/") == 1
        assert eager.stats().refused == len(bad)
        assert eager.stats().added == 1

    def test_candidates_may_be_endless_as_far_as_memory_goes(self, eager: Blocking) -> None:
        many = (Candidate(f"http://h{number % 7}.test/{number}") for number in range(3000))
        assert eager.add(many) == 3000

    def test_the_url_is_fetched_as_found_but_for_tracking_and_fragment(
        self, eager: Blocking
    ) -> None:
        eager.add_urls("http://a.test/?b=2&a=1&gclid=x#top", depth=3, priority=-7, note="sitemap")
        (lease,) = eager.lease(1)
        assert lease.url == "http://a.test/?b=2&a=1"
        assert (lease.host, lease.depth, lease.priority) == ("a.test", 3, -7)
        assert (lease.note, lease.attempt) == ("sitemap", 1)

    @pytest.mark.parametrize("wrong", [{"depth": -1}, {"priority": 1001}, {"note": "x" * 10_000}])
    def test_numbers_have_ranges(self, wrong: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=r"http://a\.test/"):
            Candidate("http://a.test/", **wrong)

    # Leases

    def test_a_leased_url_is_leased_to_nobody_else(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 3))
        assert len(eager.lease(2)) == 2
        assert len(eager.lease(2)) == 1
        assert eager.lease(2) == []

    def test_an_acknowledged_url_is_done(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 3))
        first, second, third = eager.lease(3)
        assert eager.ack(first, "kept")
        assert eager.ack_all([Ack(second, "kept"), Ack(third, "too short")]) == []
        stats = eager.stats()
        assert (stats.done, stats.leased, stats.queued) == (3, 0, 0)
        assert stats.outcomes == {"kept": 2, "too short": 1}

    def test_an_outcome_is_a_label(self, eager: Blocking) -> None:
        eager.add_urls("http://a.test/")
        (lease,) = eager.lease(1)
        for wrong in ("", "x" * 101):
            with pytest.raises(ValueError, match="outcome"):
                eager.ack(lease, wrong)

    def test_a_lease_is_lost_at_its_deadline(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        (lease,) = eager.lease(1)
        assert lease.deadline == clock.now + EAGER.lease_seconds
        clock.pass_(EAGER.lease_seconds - 1)
        assert eager.lease(1) == []
        assert eager.lease_in() == pytest.approx(1)
        clock.pass_(1)
        (again,) = eager.lease(1)
        assert (again.url, again.attempt) == (lease.url, 2)
        assert again.token > lease.token

    def test_a_renewed_lease_lives_on(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        leases = eager.lease(1)
        for _ in range(5):
            clock.pass_(EAGER.lease_seconds - 1)
            leases = eager.renew(leases)
            assert leases[0].deadline == clock.now + EAGER.lease_seconds
            assert eager.lease(1) == []
        assert eager.ack(leases[0], "kept")

    def test_who_lost_a_lease_cannot_touch_the_next(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        (old,) = eager.lease(1)
        clock.pass_(EAGER.lease_seconds)
        (new,) = eager.lease(1)
        assert eager.renew([old]) == []
        eager.fetched([old])
        assert not eager.ack(old, "kept")
        assert not eager.release(old, reason="late")
        assert eager.ack_all([Ack(old, "kept"), Ack(new, "kept")]) == [old]
        assert eager.stats().outcomes == {"kept": 1}

    def test_nothing_is_done_twice(self, eager: Blocking) -> None:
        eager.add_urls("http://a.test/")
        (lease,) = eager.lease(1)
        assert eager.ack(lease, "kept")
        assert not eager.ack(lease, "kept")
        assert not eager.release(lease)
        assert eager.stats().done == 1

    def test_nor_twice_at_once(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 2))
        lease, other = eager.lease(2)
        assert eager.ack_all([Ack(lease, "kept"), Ack(other, "kept"), Ack(lease, "kept")]) == [
            lease
        ]
        assert eager.stats().outcomes == {"kept": 2}

    def test_a_url_that_kills_its_workers_is_dead(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/poison", "http://a.test/fine")
        for _ in range(EAGER.losses):
            for lease in eager.lease(2):
                if lease.url.endswith("fine"):
                    eager.ack(lease, "kept")
            clock.pass_(EAGER.lease_seconds)
        assert eager.lease(1) == []
        (letter,) = eager.dead_letters()
        assert (letter.url, letter.attempts) == ("http://a.test/poison", EAGER.losses)
        assert "lost 3 times" in letter.reason

    def test_a_lost_lease_is_no_try(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        for _ in range(EAGER.losses - 1):
            eager.lease(1)
            clock.pass_(EAGER.lease_seconds)
        for _ in range(EAGER.tries):
            assert eager.stats().dead == 0
            eager.release(eager.lease(1)[0], reason="timeout", retry_after=0)
        assert eager.stats().dead == 1

    # Failures

    def test_a_failure_waits_longer_each_time(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        waits = []
        for attempt in range(1, EAGER.tries):
            (lease,) = eager.lease(1)
            assert lease.attempt == attempt
            eager.release(lease, reason="timeout")
            assert eager.stats().waiting == 1
            waits.append(eager.lease_in())
            clock.pass_(waits[-1])
        assert 5 <= waits[0] <= 10 <= waits[1] <= 20

    def test_but_no_longer_than_the_longest_backoff(self, make: Make, clock: Clock) -> None:
        policy = Policy(delay=0, first_backoff=10, longest_backoff=30, tries=9)
        frontier = make(policy)
        frontier.add_urls("http://a.test/")
        for _ in range(policy.tries - 1):
            frontier.release(frontier.lease(1)[0], reason="timeout")
            assert frontier.lease_in() <= policy.longest_backoff
            clock.pass_(policy.longest_backoff)

    def test_urls_that_failed_together_do_not_come_back_together(
        self, eager: Blocking, clock: Clock
    ) -> None:
        eager.add_urls(*pages("a.test", 9))
        for lease in eager.lease(9):
            eager.release(lease, reason="timeout")
        clock.pass_(7.5)
        some = len(eager.lease(9))
        clock.pass_(2.5)
        assert 0 < some < some + len(eager.lease(9)) == 9

    def test_a_failed_url_does_not_hold_up_its_host(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 2))
        (failed,) = eager.lease(1)
        eager.release(failed, reason="timeout")
        assert urls(eager.lease(1)) == ["http://a.test/1"]

    def test_a_url_comes_back_when_the_server_said(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        eager.release(eager.lease(1)[0], reason="429", retry_after=120)
        clock.pass_(119)
        assert eager.lease(1) == []
        clock.pass_(1)
        assert eager.lease(1)[0].attempt == 2

    def test_a_url_without_a_try_left_is_dead_with_its_reason(
        self, eager: Blocking, clock: Clock
    ) -> None:
        eager.add_urls("http://a.test/x", depth=2)
        for number in range(EAGER.tries):
            clock.pass_(100)
            (lease,) = eager.lease(1)
            assert eager.release(lease, reason=f"reset {number}")
        (letter,) = eager.dead_letters()
        assert (letter.url, letter.host, letter.depth) == ("http://a.test/x", "a.test", 2)
        assert (letter.reason, letter.attempts) == ("reset 2", 3)
        assert letter.died_at == clock.now
        clock.pass_(1e6)
        assert eager.lease(1) == []
        assert eager.finished()

    def test_what_is_given_back_untried_counts_no_try(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        for _ in range(10):
            (lease,) = eager.lease(1)
            assert lease.attempt == 1
            eager.release(lease)
            assert (eager.stats().queued, eager.stats().waiting) == (1, 0)
        eager.release(eager.lease(1)[0], retry_after=30)
        assert eager.lease(1) == []
        clock.pass_(30)
        assert eager.lease(1)[0].attempt == 1

    # Accounts

    def test_hosts_are_listed_by_what_they_have_queued(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 1), *pages("b.test", 5))
        eager.lease(2)
        busiest, other = eager.hosts()
        assert (busiest.host, busiest.queued, busiest.leased) == ("b.test", 4, 1)
        assert (other.host, other.queued, other.leased) == ("a.test", 0, 1)
        assert len(eager.hosts(limit=1)) == 1

    def test_a_lease_past_its_deadline_counts_as_queued(
        self, eager: Blocking, clock: Clock
    ) -> None:
        eager.add_urls(*pages("a.test", 2), "http://b.test/")
        held = eager.lease(2)
        clock.pass_(EAGER.lease_seconds)
        stats = eager.stats()
        assert (stats.added, stats.queued, stats.leased) == (3, 3, 0)
        assert [(one.host, one.queued, one.leased) for one in eager.hosts()] == [
            ("a.test", 2, 0),
            ("b.test", 1, 0),
        ]
        eager.renew(held[:1])  # nobody has it yet
        assert (eager.stats().queued, eager.stats().leased) == (2, 1)

    def test_every_url_is_accounted_for_in_a_crawl_with_failures(
        self, make: Make, clock: Clock
    ) -> None:
        rng = random.Random(4)
        frontier = make(Policy(delay=2, visits_per_host=2, tries=3, losses=3, lease_seconds=50))
        frontier.add_urls(*(f"http://h{number}.test/" for number in range(8)))
        visits: Counter[str] = Counter()
        steps = 0
        while not frontier.finished():
            steps += 1
            assert steps < 5000
            for lease in frontier.lease(5):
                visits[lease.url] += 1
                links = [f"http://h{rng.randrange(8)}.test/{rng.randrange(40)}" for _ in range(3)]
                frontier.add_urls(*links, depth=lease.depth + 1)
                if rng.random() < 0.5:
                    frontier.fetched([lease])
                fate = rng.random()
                if fate < 0.7:
                    frontier.ack(lease, "kept")
                elif fate < 0.9:
                    frontier.release(lease, reason="timeout")
                # The rest fall silent, and their leases are lost.
            assert accounted(frontier.stats())
            clock.pass_(frontier.lease_in() or 0)
        stats = frontier.stats()
        assert stats.queued == stats.leased == 0
        assert stats.added == len(visits) == stats.done + stats.dead
        assert sum(stats.outcomes.values()) == stats.done
