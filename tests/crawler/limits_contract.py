"""When a crawl has enough: the part of the frontier's contract that is about limits and the end."""

from collections import Counter

import pytest
from blocking_frontier import Blocking, Clock, Make, pages

from crawler.frontier import Ack, Policy

DAY = 86_400


class LimitsContract:
    def test_an_empty_frontier_is_finished(self, eager: Blocking) -> None:
        assert eager.finished()
        assert eager.lease(1) == []
        assert eager.lease_in() is None

    def test_a_crawl_ends_when_nothing_is_queued_waiting_or_leased(
        self, eager: Blocking, clock: Clock
    ) -> None:
        eager.add_urls("http://a.test/")
        assert not eager.finished()
        (lease,) = eager.lease(1)
        assert not eager.finished()
        eager.release(lease, reason="timeout")
        assert not eager.finished()
        clock.pass_(100)
        eager.ack(eager.lease(1)[0], "kept")
        assert eager.finished()

    def test_a_crawl_ends_at_its_pages(self, make: Make, clock: Clock) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, pages=3))
        frontier.add_urls(*pages("a.test", 9))
        leases = frontier.lease(9)
        assert len(leases) == 3
        assert frontier.lease(9) == []
        frontier.ack_all([Ack(lease, "kept", page=True) for lease in leases[:2]])
        assert not frontier.finished()
        frontier.release(leases[2], reason="timeout")
        clock.pass_(100)
        assert not frontier.finished()
        frontier.ack(frontier.lease(9)[0], "kept", page=True)
        assert frontier.finished()
        assert frontier.lease_in() is None
        assert frontier.stats().queued == 6

    def test_a_host_ends_at_its_pages(self, make: Make, clock: Clock) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, pages_per_host=2, tries=1))
        frontier.add_urls(*pages("a.test", 9), *pages("b.test", 1))
        leases = frontier.lease(9)
        assert Counter(lease.host for lease in leases) == {"a.test": 2, "b.test": 1}
        dying = next(lease for lease in leases if lease.host == "a.test")
        frontier.release(dying, reason="gone")
        (replacement,) = frontier.lease(9)
        assert replacement.host == "a.test"
        done = [lease for lease in leases if lease != dying]
        frontier.ack_all([Ack(lease, "kept", page=True) for lease in [*done, replacement]])
        assert frontier.finished()
        assert frontier.stats().queued == 6

    def test_a_host_that_has_its_pages_is_not_waited_for(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, pages_per_host=1))
        frontier.add_urls(*pages("a.test", 2))
        frontier.release(frontier.lease(1)[0], reason="timeout")
        assert not frontier.finished()
        frontier.ack(frontier.lease(1)[0], "kept", page=True)
        assert frontier.finished()
        assert frontier.stats().waiting == 1

    @pytest.mark.parametrize("limit", ["pages", "pages_per_host"])
    def test_what_is_no_page_takes_no_page_from_a_limit(
        self, make: Make, clock: Clock, limit: str
    ) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, **{limit: 1}))
        frontier.add_urls(*pages("a.test", 4))
        (failed,) = frontier.lease(9)
        frontier.release(failed, reason="timeout")
        for outcome in ("redirected", "sitemap"):
            (lease,) = frontier.lease(9)
            frontier.ack(lease, outcome)
            assert not frontier.finished()
        clock.pass_(100)
        (page,) = frontier.lease(9)
        frontier.ack(page, "kept", page=True)
        assert frontier.lease(9) == []
        assert frontier.finished()
        stats = frontier.stats()
        assert (stats.done, stats.queued) == (3, 1)

    def test_pages_and_others_may_be_acknowledged_together(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, pages=3, pages_per_host=3))
        frontier.add_urls(*pages("a.test", 9))
        leases = frontier.lease(9)
        frontier.ack_all([Ack(lease, "seen", page=lease == leases[1]) for lease in leases])
        frontier.count_received(7)
        run = frontier.stats().run
        assert (run.pages, run.received) == (1, 7)
        assert len(frontier.lease(9)) == 2

    def test_a_host_that_has_sent_enough_today_rests_until_tomorrow(
        self, make: Make, clock: Clock
    ) -> None:
        frontier = make(Policy(delay=0, daily_size_per_host=100))
        frontier.add_urls(*pages("a.test", 9), *pages("b.test", 9))
        assert frontier.count_sent({"a.test": 60, "b.test": 60, "elsewhere.test": 900}) == []
        assert frontier.count_sent({"a.test": 40}) == ["a.test"]
        (lease,) = frontier.lease(9)
        assert lease.host == "b.test"
        frontier.ack(lease, "kept")
        assert frontier.stats().hosts == 2
        left = DAY - clock() % DAY
        clock.pass_(left - 1)
        assert {lease.host for lease in frontier.lease(9)} == {"b.test"}
        clock.pass_(2)
        assert {lease.host for lease in frontier.lease(9)} == {"a.test"}
        # A new day, from zero.
        assert frontier.count_sent({"a.test": 99}) == []
        assert frontier.count_sent({"a.test": 1}) == ["a.test"]

    def test_a_host_rests_also_if_the_crawl_begins_anew(self, make: Make) -> None:
        policy = Policy(delay=0, daily_size_per_host=100)
        before = make(policy)
        before.add_urls(*pages("a.test", 2))
        before.count_sent({"a.test": 100})
        before.close()
        frontier = make(policy)
        assert frontier.lease(9) == []
        assert not frontier.finished()

    @pytest.mark.parametrize("limit", ["pages", "pages_per_host", "total_size"])
    def test_a_limit_beyond_all_numbers_is_none(self, make: Make, limit: str) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, **{limit: 10**30}))
        frontier.add_urls(*pages("a.test", 2))
        leases = frontier.lease(9)
        frontier.ack(leases[0], "kept", page=True)
        frontier.count_received(10**15)
        assert not frontier.finished()
        frontier.ack(leases[1], "kept", page=True)
        assert frontier.finished()

    def test_a_crawl_ends_when_it_has_received_enough(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, total_size=100))
        frontier.add_urls(*pages("a.test", 4))
        frontier.count_received(60)
        (lease,) = frontier.lease(1)
        frontier.count_received(40)
        assert frontier.lease(9) == []
        assert not frontier.finished()
        frontier.ack(lease, "kept")
        assert frontier.finished()
        assert frontier.lease_in() is None
        stats = frontier.stats()
        assert (stats.received, stats.queued) == (100, 3)

    @pytest.mark.parametrize("limit", ["pages", "pages_per_host", "total_size"])
    def test_a_job_with_lower_limits_ends(self, make: Make, limit: str) -> None:
        before = make(Policy(delay=0, visits_per_host=9))
        before.add_urls(*pages("a.test", 4))
        before.ack_all([Ack(lease, "kept", page=True) for lease in before.lease(3)])
        before.count_received(3)
        before.close()
        frontier = make(Policy(delay=0, visits_per_host=9, **{limit: 2}))
        assert frontier.lease(9) == []
        assert frontier.finished()
        assert frontier.lease_in() is None
