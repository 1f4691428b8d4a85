"""How long a host is left alone by how it bears the visits."""

from __future__ import annotations

from crawler.politeness.host_load import HostLoad

HOST = "example.com"


def test_a_fast_host_is_visited_at_the_delay_of_the_job() -> None:
    load = HostLoad(5, 1.0, 300)
    assert [load.answered(HOST, 0.1) for _ in range(5)] == [None] * 5


def test_a_slow_host_is_left_alone_for_a_multiple_of_its_time() -> None:
    load = HostLoad(5, 1.0, 300)
    assert load.answered(HOST, 2.0) == 10
    assert load.pause(HOST) == 10
    assert load.answered(HOST, 2.1) is None
    told = [pause for _ in range(100) if (pause := load.answered(HOST, 0.1)) is not None]
    assert told == sorted(told, reverse=True)
    assert told[-1] == 1.0


def test_each_error_doubles_the_pause_within_its_limit_and_each_answer_halves_it() -> None:
    load = HostLoad(5, 1.0, 16)
    assert [load.failed(HOST) for _ in range(5)] == [2, 4, 8, 16, None]
    told = [load.answered(HOST, 0.1) for _ in range(5)]
    assert [pause for pause in told if pause] == [8, 4, 2, 1]


def test_hosts_do_not_share_their_load() -> None:
    load = HostLoad(5, 1.0, 300)
    load.failed(HOST)
    assert load.answered("other.example", 0.1) is None
    assert load.pause("unknown.example") == 0
