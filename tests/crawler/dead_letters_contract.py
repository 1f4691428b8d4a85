"""URLs without a try left: the part of the frontier's contract that is about dead letters."""

import pytest
from blocking_frontier import Blocking, Make, accounted, pages, urls

from crawler.frontier import Policy
from crawler.frontier.base import LONGEST_REASON


class DeadLettersContract:
    def test_a_reason_is_kept_as_far_as_a_person_reads(self, make: Make) -> None:
        frontier = make(Policy(tries=1))
        frontier.add_urls("http://a.test/")
        frontier.release(frontier.lease(1)[0], reason="x" * 10_000)
        (letter,) = frontier.dead_letters()
        assert letter.reason == "x" * LONGEST_REASON

    def test_a_final_try_is_the_last_one(self, make: Make) -> None:
        frontier = make(Policy(tries=3))
        frontier.add_urls("http://a.test/")
        frontier.release(frontier.lease(1)[0], reason="render-budget", is_final=True)
        assert frontier.dead_reasons() == {"render-budget": 1}
        assert accounted(frontier.stats())

    @pytest.fixture
    def mourning(self, make: Make) -> Blocking:
        """A frontier with 3 dead URLs of a.test and 1 of b.test."""
        frontier = make(Policy(delay=0, visits_per_host=9, tries=1))
        frontier.add_urls(*pages("a.test", 3), *pages("b.test", 1))
        for lease in frontier.lease(4):
            frontier.release(lease, reason="gone")
        return frontier

    def test_dead_letters_are_paged_and_chosen_by_host(self, mourning: Blocking) -> None:
        first = mourning.dead_letters(limit=3)
        rest = mourning.dead_letters(limit=3, after=first[-1].number)
        assert len({letter.url for letter in first + rest}) == 4
        assert urls(mourning.dead_letters(host="b.test")) == ["http://b.test/0"]

    def test_dead_urls_are_counted_by_reason_however_many_they_are(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=2000, tries=1))
        frontier.add_urls(*pages("a.test", 501), *pages("b.test", 502))
        while leases := frontier.lease(500):
            for lease in leases:
                reason = "timeout" if lease.url.endswith("/7") else lease.host
                frontier.release(lease, reason=reason)
        assert list(frontier.dead_reasons().items()) == [
            ("b.test", 501),
            ("a.test", 500),
            ("timeout", 2),
        ]
        assert frontier.dead_reasons(host="a.test") == {"a.test": 500, "timeout": 1}
        assert frontier.dead_reasons(host="nowhere.test") == {}
        frontier.purge_dead()
        assert frontier.dead_reasons() == {}

    def test_a_dead_url_that_is_tried_again_is_what_it_was(self, make: Make) -> None:
        frontier = make(Policy(delay=0, tries=1))
        frontier.add_urls("http://a.test/", depth=2, priority=3, note="a sitemap", kind="sitemap")
        for _ in range(2):
            (lease,) = frontier.lease(1)
            assert (lease.depth, lease.priority, lease.note) == (2, 3, "a sitemap")
            frontier.release(lease, reason="gone")
            frontier.retry_dead()

    def test_dead_urls_get_all_their_tries_again(self, mourning: Blocking) -> None:
        assert mourning.retry_dead(host="nowhere.test") == 0
        assert mourning.retry_dead(host="a.test") == 3
        assert mourning.stats().dead == 1
        assert {lease.attempt for lease in mourning.lease(9)} == {1}
        assert mourning.retry_dead() == 1

    def test_dead_urls_are_tried_again_or_forgotten_by_their_reason(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, tries=1))
        frontier.add_urls(*pages("a.test", 4), *pages("b.test", 1))
        for lease in frontier.lease(9):
            frontier.release(lease, reason="timeout" if "/0" in lease.url else "http-500")
        assert frontier.retry_dead(reason="http") == 0, "a reason is not a pattern"
        assert frontier.retry_dead(reason="timeout") == 2
        assert sorted(lease.url for lease in frontier.lease(9)) == [
            "http://a.test/0",
            "http://b.test/0",
        ]
        assert frontier.purge_dead("b.test", reason="http-500") == 0
        assert frontier.purge_dead("a.test", reason="http-500") == 3
        assert frontier.dead_reasons() == {}
        assert accounted(frontier.stats())

    def test_purged_urls_stay_seen(self, mourning: Blocking) -> None:
        assert mourning.purge_dead(host="nowhere.test") == 0
        assert mourning.purge_dead(host="b.test") == 1
        assert mourning.purge_dead() == 3
        assert mourning.dead_letters() == []
        assert not mourning.add_urls("http://a.test/0")
        assert mourning.stats().purged == 4
        assert accounted(mourning.stats())
