"""What is visited again, and when: the part of the frontier's contract that is about revisits."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import pytest
from blocking_frontier import EAGER, POLITE, Blocking, Clock, Make, accounted, pages, urls

from crawler.frontier import Ack, Lease, RunStats, Visit

HOUR = 3600.0
AGAIN = replace(EAGER, revisit_share=0.5)


def acknowledged(frontier: Blocking, after: float = HOUR, history: str = "h") -> list[Lease]:
    """All that can be leased now, which is done and will be visited again."""
    leases: list[Lease] = []
    while some := frontier.lease(100):
        assert not frontier.ack_all([Ack(lease, "kept", Visit(after, history)) for lease in some])
        leases += some
    return leases


class RevisitsContract:
    @pytest.fixture
    def again(self, make: Make) -> Blocking:
        """A frontier that gives out whatever it has, again and again; a run has begun."""
        frontier = make(AGAIN)
        assert frontier.begin_run()
        return frontier

    # Runs

    def test_a_url_is_visited_again_once_it_is_due(self, again: Blocking, clock: Clock) -> None:
        again.add_urls("http://a.test/x?b=2&a=1", depth=3, priority=-7, note="n", kind="feed")
        (first,) = again.lease(1)
        assert (first.history, first.hinted, first.kind) == ("", False, "feed")
        again.ack(first, "kept", visit=Visit(HOUR, "etag \x01\n ü"))
        clock.pass_(HOUR - 10)
        assert again.begin_run()
        assert again.finished()
        assert again.lease(1) == []
        clock.pass_(HOUR / 32 + 11)
        assert again.begin_run()
        assert not again.finished()
        assert again.lease_in() == 0
        (second,) = again.lease(1)
        assert (second.history, second.hinted) == ("etag \x01\n ü", False)
        same = ("url", "host", "depth", "priority", "note", "kind", "attempt")
        assert [getattr(second, name) for name in same] == [getattr(first, name) for name in same]
        assert again.lease(1) == []

    def test_nothing_is_visited_again_without_a_visit(self, again: Blocking, clock: Clock) -> None:
        again.add_urls("http://a.test/")
        again.ack(again.lease(1)[0], "gone")
        clock.pass_(1e8)
        assert again.begin_run()
        assert again.finished()
        assert again.stats().due == 0

    def test_what_becomes_due_in_a_run_waits_for_the_next(
        self, again: Blocking, clock: Clock
    ) -> None:
        again.add_urls("http://a.test/", "http://b.test/")
        for lease in again.lease(2):
            again.ack(lease, "kept", visit=Visit(0, "h"))
        for _ in range(2):
            assert again.lease(9) == []
            assert again.finished()
            clock.pass_(100)
        assert again.begin_run()
        assert len(again.lease(9)) == 2

    def test_a_run_that_is_not_finished_is_joined(self, again: Blocking, clock: Clock) -> None:
        again.add_urls(*pages("a.test", 2))
        first, other = again.lease(2)
        again.ack(first, "kept", visit=Visit(HOUR, "h"))
        clock.pass_(2 * HOUR)
        again.renew([other])
        assert not again.begin_run()
        assert again.stats().due == 0
        again.release(other)
        assert not again.begin_run()
        (other,) = again.lease(9)
        again.ack(other, "kept")
        assert again.begin_run()
        assert again.stats().due == 1

    def test_limits_count_anew_in_a_run(self, make: Make) -> None:
        limits = [{"pages": 2}, {"pages_per_host": 2}, {"total_size": 10}]
        frontier = make(replace(AGAIN, **limits[0]))
        frontier.add_urls(*pages("a.test", 9))
        for limit in limits:
            frontier.close()
            frontier = make(replace(AGAIN, **limit))
            for _ in range(2):
                frontier.begin_run()
                assert not frontier.finished()
                leases = frontier.lease(2)
                frontier.ack_all([Ack(lease, "kept", page=True) for lease in leases])
                frontier.count_received(10)
                assert frontier.finished() == ("total_size" in limit or len(leases) == 2)
                if frontier.stats().done == 9:
                    break
        assert frontier.stats().done == 9
        assert frontier.stats().received == 50

    def test_a_run_has_counts_of_its_own(self, make: Make) -> None:
        frontier = make(replace(AGAIN, pages=2))
        frontier.begin_run()
        frontier.add_urls(*pages("a.test", 3))
        for used in (2, 1):
            frontier.ack_all([Ack(lease, "kept", page=True) for lease in frontier.lease(2)])
            frontier.count_received(10)
            assert frontier.stats().run == RunStats(used, 10, {"kept": used}, has_leased=True)
            assert frontier.begin_run()
            assert frontier.stats().run == RunStats()
        assert frontier.stats().received == 20
        assert frontier.stats().outcomes == {"kept": 3}

    def test_a_run_that_goes_on_keeps_its_counts(self, make: Make) -> None:
        frontier = make(AGAIN)
        frontier.add_urls(*pages("a.test", 3))
        first, second, third = frontier.lease(3)
        frontier.ack(first, "kept")
        frontier.ack(second, "held")
        # The counts of a job that has begun no run are those of all.
        assert frontier.stats().run == RunStats(outcomes={"held": 1, "kept": 1}, has_leased=True)
        frontier.release(third, reason="timeout", retry_after=0)
        frontier.close()
        frontier = make(AGAIN)
        assert not frontier.begin_run()
        frontier.ack(frontier.lease(1)[0], "kept")
        assert frontier.stats().run.outcomes == {"kept": 2, "held": 1}
        assert frontier.begin_run()
        frontier.recount("worker-1", 1, {"held": -1, "empty": 1})
        assert frontier.stats().run == RunStats(outcomes={"empty": 1, "held": -1})
        assert frontier.stats().outcomes == {"kept": 2, "empty": 1}

    def test_urls_are_visited_once_where_the_policy_has_no_share(
        self, make: Make, clock: Clock
    ) -> None:
        again = make(AGAIN)
        again.begin_run()
        again.add_urls(*pages("a.test", 2))
        acknowledged(again)
        clock.pass_(2 * HOUR)
        assert again.begin_run()
        assert len(again.lease(1)) == 1
        again.close()
        once = make(EAGER)
        clock.pass_(EAGER.lease_seconds)
        assert [lease.history for lease in once.lease(9)] == ["h"]  # it was under way

    @pytest.mark.parametrize("step", [-1e7, -HOUR, HOUR, 1e7])
    def test_a_clock_that_is_set_makes_no_storm_and_no_stall(
        self, make: Make, clock: Clock, step: float
    ) -> None:
        frontier = make(AGAIN)
        assert frontier.begin_run()
        frontier.add_urls(*pages("a.test", 3))
        acknowledged(frontier)
        frontier.close()
        clock.pass_(step)
        frontier = make(AGAIN)
        if step < 0:
            clock.pass_(HOUR - 60)
            frontier.begin_run()
            assert acknowledged(frontier) == []
        clock.pass_(HOUR / 16)
        frontier.begin_run()
        assert len(acknowledged(frontier, after=2 * HOUR)) == 3
        clock.pass_(HOUR)
        assert frontier.begin_run()
        assert frontier.stats().due == 0

    # Order and shares

    def test_what_is_overdue_longest_goes_first(self, again: Blocking, clock: Clock) -> None:
        again.add_urls(*pages("a.test", 70))
        for place in range(70):
            again.ack(again.lease(1)[0], "kept", visit=Visit(HOUR * (1 + place % 2), "h"))
            clock.pass_(300)
        clock.pass_(2 * HOUR)
        again.begin_run()
        order = [int(url.rpartition("/")[2]) for url in urls(again.lease(70))]
        assert order == sorted(range(70), key=lambda place: 300 * place + HOUR * (place % 2))

    @pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
    def test_known_and_new_urls_share_the_visits_of_their_host(
        self, make: Make, clock: Clock, share: float
    ) -> None:
        frontier = make(replace(POLITE, revisit_share=share))
        frontier.begin_run()
        frontier.add_urls(*pages("a.test", 20))
        for _ in range(20):
            frontier.ack(frontier.lease(1)[0], "kept", visit=Visit(HOUR, "h"))
            clock.pass_(POLITE.delay)
        clock.pass_(2 * HOUR)
        frontier.begin_run()
        frontier.add_urls(*(f"http://a.test/new/{number}" for number in range(20)))
        known = Counter[bool]()
        while frontier.lease_in() is not None:
            (lease,) = frontier.lease(9)
            known[bool(lease.history)] += 1
            if min(known[True], known[False]) < 20 > max(known.values()):
                assert abs(known[True] - share * known.total()) < 1 + 1e-9
            frontier.ack(lease, "kept")
            assert frontier.lease(9) == []
            clock.pass_(POLITE.delay)
        assert known == {True: 20, False: 20}
        assert frontier.finished()

    # Hints

    def test_what_is_said_to_have_changed_is_due_now(self, again: Blocking, clock: Clock) -> None:
        again.add_urls(*pages("a.test", 3))
        visited = clock.now
        acknowledged(again)
        clock.pass_(60)
        assert not again.add_urls("http://a.test/0", changed_at=visited - 1)
        assert not again.add_urls("http://a.test/1", changed_at=clock.now + 1)
        assert again.finished()
        for _ in range(2):
            assert not again.add_urls("HTTP://a.test:80/2#x", changed_at=visited + 5)
            assert again.stats().due == 1
        assert not again.finished()
        (lease,) = again.lease(9)
        assert (lease.url, lease.hinted, lease.history) == ("http://a.test/2", True, "h")
        again.ack(lease, "kept", visit=Visit(HOUR, "new"))
        assert not again.add_urls("http://a.test/2", changed_at=visited + 5)
        assert again.finished()
        clock.pass_(2 * HOUR)
        again.begin_run()
        found = {lease.url: (lease.history, lease.hinted) for lease in again.lease(9)}
        assert found["http://a.test/2"] == ("new", False)
        assert len(found) == 3

    def test_a_hint_changes_nothing_for_other_urls(self, again: Blocking, clock: Clock) -> None:
        again.add_urls(*pages("a.test", 3))
        done, leased = again.lease(2)
        again.ack(done, "kept")
        before = again.stats()
        assert not again.add_urls(*pages("a.test", 3), changed_at=clock.now)
        assert again.stats() == before
        assert again.renew([leased])

    # Failures

    def test_a_lease_that_is_lost_comes_back_with_its_history(
        self, again: Blocking, clock: Clock
    ) -> None:
        again.add_urls("http://a.test/", "http://a.test/hinted")
        visited = clock.now
        acknowledged(again)
        clock.pass_(2 * HOUR)
        again.begin_run()
        again.add_urls("http://a.test/hinted", changed_at=visited + 1)
        leases = again.lease(9)
        assert not again.begin_run()
        clock.pass_(EAGER.lease_seconds)
        back = again.lease(9)
        assert sorted(urls(back)) == sorted(urls(leases))
        assert {(lease.history, lease.attempt) for lease in back} == {("h", 2)}
        again.release(back[0])
        again.release(back[1], reason="timeout", retry_after=10)
        assert again.stats().queued == 2
        clock.pass_(10)
        assert [lease.history for lease in again.lease(9)] == ["h", "h"]
        assert accounted(again.stats())

    def test_a_dead_letter_keeps_its_history(self, again: Blocking, clock: Clock) -> None:
        again.add_urls("http://a.test/", note="n", kind="sitemap")
        acknowledged(again, after=0)
        clock.pass_(1)
        again.begin_run()
        for _ in range(EAGER.tries):
            again.release(again.lease(1)[0], reason="refused", retry_after=0)
        assert (again.stats().dead, again.stats().done) == (1, 0)
        assert again.retry_dead() == 1
        (lease,) = again.lease(1)
        assert (lease.history, lease.note, lease.kind) == ("h", "n", "sitemap")
        again.ack(lease, "kept", visit=Visit(0, "i"))
        clock.pass_(1)
        again.begin_run()
        assert again.lease(1)[0].history == "i"

    # What is known later

    def test_a_visit_is_replaced_where_the_result_comes_later(
        self, again: Blocking, clock: Clock
    ) -> None:
        again.add_urls(*pages("a.test", 3), note="n")
        acknowledged(again)
        changes = {"http://a.test/1": Visit(0, "later"), "http://nowhere.test/": Visit(0, "x")}
        for history in ("later", "too late"):
            changes["http://a.test/1"] = Visit(0, history)
            again.recount("worker-1", 7, {"kept": -1, "same": 1}, changes)
        assert again.stats().outcomes == {"kept": 2, "same": 1}
        clock.pass_(10)
        again.begin_run()
        (lease,) = again.lease(9)
        assert (lease.url, lease.history, lease.note) == ("http://a.test/1", "later", "n")
        again.recount("worker-1", 8, {}, {"http://a.test/1": Visit(0, "under way")})
        again.ack(lease, "kept", visit=Visit(HOUR, "newest"))
        clock.pass_(2 * HOUR)
        again.begin_run()
        again.recount("worker-1", 9, {}, {"http://a.test/1": Visit(9 * HOUR, "due")})
        found = {lease.url: lease.history for lease in again.lease(9)}
        assert found["http://a.test/1"] == "due"
        assert len(found) == 3

    def test_a_history_can_be_asked_for_until_the_next_visit(
        self, again: Blocking, clock: Clock
    ) -> None:
        again.add_urls("http://a.test/1", "http://a.test/2", note="n")
        known, once = again.lease(9)
        assert again.history(known.url) == again.history("http://nowhere.test/") == ""
        again.ack(known, "kept", visit=Visit(HOUR, "etag \x01\n ü"))
        again.ack(once, "kept")
        assert again.history("HTTP://a.test/1#x") == "etag \x01\n ü"
        assert again.history(once.url) == ""
        clock.pass_(2 * HOUR)
        again.begin_run()
        again.lease(1)
        assert again.history(known.url) == ""

    def test_hosts_have_counters(self, again: Blocking) -> None:
        again.add_urls(*pages("a.test", 3), *pages("b.test", 1))
        assert again.counts("a.test") == again.counts("nowhere.test") == {}
        one, two, lost = (lease for lease in again.lease(9) if lease.host == "a.test")
        again.ack(lost, "kept")
        again.ack_all(
            [
                Ack(one, "kept", counts={"changes": 1, "days": 0.5}),
                Ack(two, "kept", counts={"changes": 2}),
                Ack(lost, "kept", counts={"changes": 100}),
            ]
        )
        assert again.counts("a.test") == {"changes": 3, "days": 0.5}
        assert again.counts("b.test") == {}

    # What must not come back

    def test_what_is_forgotten_is_never_visited_nor_added(
        self, again: Blocking, clock: Clock
    ) -> None:
        again.add_urls(*pages("a.test", 4))
        acknowledged(again)
        clock.pass_(2 * HOUR)
        again.forget(["http://a.test/0"])
        again.begin_run()
        again.forget(["http://a.test/1", "HTTP://a.test/1#x", "http://a.test/never"])
        with pytest.raises(ValueError, match="nonsense"):
            again.forget(["http://a.test/2", "nonsense:"])
        assert (again.stats().due, again.stats().purged) == (2, 1)
        assert not again.add_urls("http://a.test/never", "http://a.test/0", changed_at=clock.now)
        assert sorted(urls(again.lease(9))) == ["http://a.test/2", "http://a.test/3"]
        assert accounted(again.stats())

    # Accounts

    def test_known_urls_are_accounted_for(self, again: Blocking, clock: Clock) -> None:
        again.add_urls(*pages("a.test", 5))
        acknowledged(again)
        clock.pass_(2 * HOUR)
        assert (again.stats().done, again.stats().due) == (5, 0)
        again.begin_run()
        assert (again.stats().done, again.stats().due) == (5, 5)
        first, second = again.lease(2)
        stats = again.stats()
        assert (stats.done, stats.leased, stats.due, stats.queued) == (3, 2, 3, 0)
        assert again.hosts()[0].done == 3
        again.ack(first, "unchanged", visit=Visit(HOUR, "h"))
        again.ack(second, "gone")
        stats = again.stats()
        assert (stats.added, stats.done, stats.leased, stats.due) == (5, 5, 0, 3)
        assert stats.outcomes == {"kept": 5, "gone": 1, "unchanged": 1}
        assert accounted(stats)

    @pytest.mark.parametrize("after", [-1.0, math.nan, math.inf, 1e12])
    def test_a_visit_is_after_some_time(self, after: float) -> None:
        with pytest.raises(ValueError, match="after 0 to 315360000 seconds"):
            Visit(after, "h")

    @pytest.mark.parametrize("length", [0, 1025])
    def test_a_history_is_short_and_not_empty(self, length: int) -> None:
        with pytest.raises(ValueError, match=f"1 to 1024 characters, not {length}"):
            Visit(1, "h" * length)
