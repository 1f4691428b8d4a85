"""Hosts that fail: the part of the frontier's contract that is about giving them up."""

from blocking_frontier import EAGER, Blocking, Clock, Make, pages

from crawler.frontier import Policy


def failures(frontier: Blocking) -> dict[str, int]:
    """What the leases say of their hosts, before these are given back."""
    leases = frontier.lease(9)
    for lease in leases:
        frontier.release(lease)
    return {lease.host: lease.host_failures for lease in leases}


class HostFailuresContract:
    def test_leases_say_how_often_their_host_has_failed(self, make: Make) -> None:
        frontier = make(EAGER)
        frontier.add_urls(*pages("a.test", 2), *pages("b.test", 1))
        assert failures(frontier) == {"a.test": 0, "b.test": 0}
        assert frontier.set_failures("a.test", 0, 7)
        frontier.close()
        assert failures(make(EAGER)) == {"a.test": 7, "b.test": 0}

    def test_of_visits_that_fail_at_once_one_counts(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 2))
        assert eager.set_failures("a.test", 0, 1)
        assert not eager.set_failures("a.test", 0, 1)
        assert failures(eager) == {"a.test": 1}

    def test_what_an_answer_has_ended_does_not_go_on(self, eager: Blocking) -> None:
        eager.add_urls(*pages("a.test", 2))
        eager.set_failures("a.test", 0, 9)
        assert eager.set_failures("a.test", 9, 0)
        assert not eager.set_failures("a.test", 9, 10)
        assert failures(eager) == {"a.test": 0}

    def test_a_host_without_urls_is_not_counted(self, eager: Blocking) -> None:
        assert not eager.set_failures("a.test", 0, 1)
        assert eager.stats().hosts == 0

    def test_who_tries_its_urls_again_tries_the_host_again(self, make: Make) -> None:
        frontier = make(Policy(delay=0, visits_per_host=9, tries=1))
        frontier.add_urls(*pages("a.test", 2), *pages("b.test", 2))
        for lease in frontier.lease(9):
            if lease.url.endswith("/0"):
                frontier.release(lease, reason="host-down")
            else:
                frontier.release(lease)
            frontier.set_failures(lease.host, 0, 5)
        frontier.retry_dead("a.test", reason="timeout")
        assert failures(frontier) == {"a.test": 5, "b.test": 5}
        frontier.retry_dead("a.test", reason="host-down")
        frontier.purge_dead("b.test")
        assert failures(frontier) == {"a.test": 0, "b.test": 5}

    def test_every_run_tries_every_host(self, eager: Blocking) -> None:
        eager.add_urls("http://a.test/0")
        eager.ack(eager.lease(1)[0], "kept")
        eager.set_failures("a.test", 0, 5)
        assert eager.begin_run()
        eager.add_urls("http://a.test/1")
        assert failures(eager) == {"a.test": 0}

    def test_to_skip_a_url_costs_no_delay(self, polite: Blocking, clock: Clock) -> None:
        polite.add_urls(*pages("a.test", 3))
        polite.release(polite.lease(1)[0], reason="host-down", is_final=True, sent=False)
        polite.release(polite.lease(1)[0], reason="timeout", is_final=True)
        assert polite.lease(1) == []
        assert polite.lease_in() == 10
        assert polite.dead_reasons() == {"host-down": 1, "timeout": 1}
