"""Whose turn it is: the part of the frontier's contract that is about order and politeness."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from blocking_frontier import EAGER, POLITE, Blocking, Clock, Make, pages, urls

from crawler.frontier import Ack, Policy


class TurnsContract:
    # Order and fairness

    def test_priority_goes_before_depth_before_order_of_adding(self, eager: Blocking) -> None:
        eager.add_urls("http://a.test/deep", depth=2)
        eager.add_urls("http://a.test/first", "http://a.test/second", depth=1)
        eager.add_urls("http://a.test/urgent", depth=9, priority=1)
        eager.add_urls("http://a.test/late", depth=0, priority=-1)
        order = [url.rpartition("/")[2] for url in urls(eager.lease(5))]
        assert order == ["urgent", "first", "second", "deep", "late"]

    def test_what_comes_back_is_first_and_in_its_order(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls(*pages("a.test", 5))
        order = pages("a.test", 5)
        for lease in eager.lease(3):
            eager.release(lease, reason="timeout", retry_after=5)
        clock.pass_(5)
        leases = eager.lease(3)
        assert urls(leases) == order[:3]
        clock.pass_(EAGER.lease_seconds)
        leases = eager.lease(5)
        assert urls(leases) == order

    def test_so_are_dead_urls_that_are_tried_again(self, make: Make) -> None:
        frontier = make(replace(EAGER, tries=1))
        frontier.add_urls(*pages("a.test", 5))
        for lease in frontier.lease(3):
            frontier.release(lease, reason="gone")
        frontier.retry_dead()
        assert urls(frontier.lease(9)) == pages("a.test", 5)

    def test_hosts_take_turns(self, eager: Blocking) -> None:
        eager.add_urls(*pages("huge.test", 500))
        for number in range(5):
            eager.add_urls(*pages(f"small{number}.test", 2))
        hosts = Counter(lease.host for lease in eager.lease(12))
        assert hosts == {"huge.test": 2, **{f"small{number}.test": 2 for number in range(5)}}

    def test_turns_hold_from_call_to_call(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 50), *pages("b.test", 50), *pages("c.test", 50))
        hosts = [eager.lease(1)[0].host for _ in range(30)]
        assert Counter(hosts) == {"a.test": 10, "b.test": 10, "c.test": 10}

    def test_the_host_that_waits_longest_goes_first(self, polite: Blocking, clock: Clock) -> None:
        for host in ("a", "b", "c"):
            polite.add_urls(*pages(f"{host}.test", 2))
            clock.pass_(1)
            polite.fetched(polite.lease(1))
        polite.delay_host("b.test", 50)
        clock.pass_(100)
        assert [lease.host for lease in polite.lease(3)] == ["a.test", "c.test", "b.test"]

    # Politeness

    def test_a_host_is_visited_after_its_delay(self, polite: Blocking, clock: Clock) -> None:
        polite.add_urls(*pages("a.test", 3))
        polite.fetched(polite.lease(9))
        clock.pass_(9.9)
        assert polite.lease(9) == []
        assert polite.lease_in() == pytest.approx(0.1, abs=0.001)
        clock.pass_(0.1)
        assert len(polite.lease(9)) == 1

    def test_a_host_has_so_many_visits_at_a_time(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=2))
        frontier.add_urls(*pages("a.test", 9), *pages("b.test", 1))
        leases = frontier.lease(9)
        assert sorted(lease.host for lease in leases) == ["a.test", "a.test", "b.test"]
        frontier.fetched(leases[:1])
        assert [lease.host for lease in frontier.lease(9)] == ["a.test"]

    def test_of_several_visits_at_a_time_only_the_beginnings_are_spaced(
        self, make: Make, clock: Clock
    ) -> None:
        frontier = make(Policy(delay=10, visits_per_host=2))
        frontier.add_urls(*pages("a.test", 3))
        (first,) = frontier.lease(9)
        clock.pass_(10)
        assert len(frontier.lease(9)) == 1
        clock.pass_(5)
        frontier.fetched([first])
        clock.pass_(4)
        assert frontier.lease(9) == []
        clock.pass_(1)
        assert len(frontier.lease(9)) == 1

    def test_the_end_of_a_visit_counts_once(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=2))
        frontier.add_urls(*pages("a.test", 9))
        leases = frontier.lease(9)
        for _ in range(3):
            frontier.fetched([leases[0], leases[0]])
        frontier.ack(leases[0], "kept")
        assert len(frontier.lease(9)) == 1

    def test_the_next_visit_need_not_wait_for_the_acknowledgement(
        self, polite: Blocking, clock: Clock
    ) -> None:
        polite.add_urls(*pages("a.test", 2))
        (first,) = polite.lease(1)
        clock.pass_(50)
        assert polite.lease(1) == []
        polite.fetched([first])
        assert polite.lease(1) == []
        clock.pass_(10)
        (second,) = polite.lease(1)
        assert polite.ack_all([Ack(first, "kept"), Ack(second, "kept")]) == []

    @pytest.mark.parametrize("end", ["ack", "release"])
    def test_a_visit_ends_with_its_lease_at_the_latest(
        self, polite: Blocking, clock: Clock, end: str
    ) -> None:
        polite.add_urls(*pages("a.test", 2))
        (lease,) = polite.lease(1)
        clock.pass_(50)
        polite.ack(lease, "kept") if end == "ack" else polite.release(lease)
        clock.pass_(10)
        assert len(polite.lease(1)) == 1

    def test_a_visit_in_which_nothing_was_sent_costs_no_delay(
        self, polite: Blocking, clock: Clock
    ) -> None:
        polite.add_urls(*pages("a.test", 4))
        for _ in range(2):
            polite.ack(polite.lease(1)[0], "robots", sent=False)
        polite.ack(polite.lease(1)[0], "kept")
        clock.pass_(9)
        assert polite.lease(1) == []
        clock.pass_(1)
        assert len(polite.lease(1)) == 1

    def test_but_a_visit_before_or_since_does(self, make: Make, clock: Clock) -> None:
        frontier = make(Policy(delay=10, visits_per_host=3))
        frontier.add_urls(*pages("a.test", 4))
        (first,) = frontier.lease(1)
        clock.pass_(10)
        (second,) = frontier.lease(1)
        frontier.ack(first, "robots", sent=False)
        assert frontier.lease(1) == []
        frontier.fetched([second])
        frontier.ack(second, "robots", sent=False)
        assert frontier.lease(1) == []
        assert frontier.lease_in() == 10

    @pytest.mark.parametrize("ask", ["delay_host", "pace_host"])
    def test_a_pause_holds_whatever_was_sent(self, make: Make, clock: Clock, ask: str) -> None:
        frontier = make(Policy(delay=10, visits_per_host=2))
        frontier.add_urls(*pages("a.test", 2))
        (lease,) = frontier.lease(1)
        getattr(frontier, ask)("a.test", 5)
        clock.pass_(1)
        frontier.ack(lease, "robots", sent=False)
        assert frontier.lease_in() == 4

    def test_a_host_may_ask_for_a_pause(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls(*pages("a.test", 5), *pages("b.test", 1))
        eager.delay_host("a.test", 60)
        eager.delay_host("a.test", 5)  # does not shorten it
        assert [lease.host for lease in eager.lease(9)] == ["b.test"]
        clock.pass_(59)
        assert eager.lease(9) == []
        clock.pass_(1)
        assert len(eager.lease(9)) == 5

    def test_a_pause_that_a_visit_led_to_goes_on_after_it(
        self, polite: Blocking, clock: Clock
    ) -> None:
        polite.add_urls(*pages("a.test", 2))
        (lease,) = polite.lease(1)
        polite.delay_host("a.test", 60)
        polite.release(lease, reason="503", retry_after=60)
        clock.pass_(59)
        assert polite.lease(9) == []
        clock.pass_(1)
        assert len(polite.lease(9)) == 1

    def test_a_host_may_ask_for_a_pace(self, polite: Blocking, clock: Clock) -> None:
        polite.pace_host("a.test", 30)
        polite.add_urls(*pages("a.test", 9))
        visits = []
        for _ in range(100):
            for lease in polite.lease(9):
                visits.append(clock.now)
                polite.ack(lease, "kept")
            clock.pass_(1)
        gaps = [later - earlier for earlier, later in pairwise(visits)]
        assert gaps == [30, 30]

    @pytest.mark.parametrize("pace", [0, 15])
    def test_a_pace_holds_until_another_is_told(
        self, polite: Blocking, clock: Clock, pace: float
    ) -> None:
        polite.pace_host("a.test", 30)
        polite.add_urls(*pages("a.test", 3))
        clock.pass_(30)
        polite.pace_host("a.test", pace)
        clock.pass_(pace)
        (lease,) = polite.lease(1)
        polite.fetched([lease])
        clock.pass_(max(pace, POLITE.delay) - 1)
        assert polite.lease(1) == []
        clock.pass_(1)
        assert len(polite.lease(1)) == 1

    def test_a_policy_shortens_the_paces_that_an_earlier_one_allowed(
        self, make: Make, clock: Clock
    ) -> None:
        before = make(POLITE)
        before.pace_host("a.test", 30)
        before.add_urls(*pages("a.test", 3))
        before.close()
        clock.pass_(30)
        frontier = make(replace(POLITE, longest_pace=0))
        for _ in range(3):
            (lease,) = frontier.lease(1)
            frontier.fetched([lease])
            frontier.pace_host("a.test", 30)
            clock.pass_(POLITE.delay)

    def test_a_pace_never_hastens(self, polite: Blocking, clock: Clock) -> None:
        polite.pace_host("a.test", 1)
        polite.add_urls(*pages("a.test", 2))
        clock.pass_(1)
        polite.fetched(polite.lease(1))
        clock.pass_(9)
        assert polite.lease(1) == []

    @pytest.mark.parametrize("ask", ["delay_host", "pace_host"])
    def test_no_server_stops_a_crawl_for_ever(
        self, eager: Blocking, clock: Clock, ask: str
    ) -> None:
        eager.add_urls("http://a.test/")
        getattr(eager, ask)("a.test", 1e300)
        clock.pass_(EAGER.longest_delay)
        assert len(eager.lease(1)) == 1

    def test_nor_does_it_keep_a_url_from_it(self, eager: Blocking, clock: Clock) -> None:
        eager.add_urls("http://a.test/")
        eager.release(eager.lease(1)[0], reason="503", retry_after=1e300)
        clock.pass_(EAGER.longest_delay)
        assert len(eager.lease(1)) == 1

    @pytest.mark.parametrize("seconds", [-1, float("nan")])
    def test_a_delay_is_a_number_of_seconds(self, eager: Blocking, seconds: float) -> None:
        with pytest.raises(ValueError, match="delay"):
            eager.delay_host("a.test", seconds)
