"""When a job is due: time zones, summer time, overlaps, and clocks that are set."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from schedules import at, job, life, shown

from crawler.schedule.runs import Record
from crawler.schedule.times import next_start, next_starts, up_to_date

HOUR = 3600.0
DAY = 24 * HOUR
BEGIN = at("2026-11-25T02:00")
DAILY = 'cron = "0 3 * * *"\ntimezone = "Europe/Berlin"\n'


def changed(when: float, by: float) -> Callable[[float], float]:
    """A clock that is set after so many seconds."""
    return lambda passed: BEGIN + passed + by * (passed > when)


def record(started: float, ended: float | None = None, since: float = BEGIN) -> Record:
    return Record(since, 1, started, started if ended is None else ended, 0)


def first(lines: str, now: float, count: int) -> list[str]:
    return [shown(start) for start in islice(next_starts(job(lines), Record(), now), count)]


def test_an_interval_begins_at_once_and_keeps_its_pace() -> None:
    assert first('every = "6h"', BEGIN, 3) == ["11-25 02:00", "11-25 08:00", "11-25 14:00"]
    late = record(BEGIN + 7 * HOUR, BEGIN + 8 * HOUR)
    assert shown(next_start(job('every = "6h"'), late, BEGIN + 8 * HOUR)) == "11-25 14:00"


def test_a_cron_waits_for_its_time_in_its_zone() -> None:
    assert first(DAILY, BEGIN, 2) == ["11-25 03:00", "11-26 03:00"]
    assert first('cron = "0 3 * * MON-FRI"', at("2026-11-28T00:00"), 2) == [
        "11-30 04:00",
        "12-01 04:00",
    ]


def test_a_start_that_was_missed_is_made_up_for_once() -> None:
    now = BEGIN + 10 * DAY + 5 * HOUR
    start = next_start(job(DAILY), record(at("2026-11-25T03:00")), now)
    assert start is not None
    assert start <= now
    assert shown(next_start(job(DAILY), record(now), now)) == "12-06 03:00"


@pytest.mark.parametrize(
    ("overlap", "expected"), [("skip", "11-25 18:00"), ("wait", "11-25 06:00")]
)
def test_starts_that_pass_during_a_run_are_left_out_or_follow_it(
    overlap: str, expected: str
) -> None:
    ran = record(at("2026-11-25T05:00"), at("2026-11-25T17:30"))
    lines = f'cron = "0 */6 * * *"\ntimezone = "Europe/Berlin"\non_overlap = "{overlap}"'
    assert shown(next_start(job(lines), ran, at("2026-11-25T17:30"))) == expected


def test_nothing_starts_from_its_end_on() -> None:
    lines = DAILY + "until = 2026-11-27"
    assert first(lines, BEGIN, 9) == ["11-25 03:00", "11-26 03:00"]
    late = next_start(job(lines), record(at("2026-11-25T03:00")), at("2026-11-27T00:00"))
    assert late is None


def test_the_jitter_of_a_start_is_always_the_same_and_differs_between_starts() -> None:
    found, again = (first(DAILY + 'jitter = "50min"', BEGIN, 20) for _ in range(2))
    assert found == again
    assert len({start[-5:] for start in found}) > 5
    assert all("03:00" <= start[-5:] < "03:50" for start in found)


def test_a_job_without_a_schedule_is_never_due() -> None:
    assert next_start(job(""), Record(), BEGIN) is None
    assert up_to_date(job(""), Record(), BEGIN) == Record()


@pytest.mark.parametrize(
    ("day", "cron", "expected"),
    [
        # The clocks go from 2:00 to 3:00.
        ("2026-03-29", "30 2 * * *", ["03-29 03:00", "03-30 02:30"]),
        ("2026-03-29", "0 * * * *", ["03-29 01:00", "03-29 03:00", "03-29 04:00"]),
        # They go from 3:00 back to 2:00.
        ("2026-10-25", "30 2 * * *", ["10-25 02:30", "10-26 02:30"]),
        ("2026-10-25", "0 * * * *", ["10-25 01:00", "10-25 02:00", "10-25 02:00", "10-25 03:00"]),
    ],
    ids=["spring, daily", "spring, hourly", "autumn, daily", "autumn, hourly"],
)
def test_the_change_of_clocks_leaves_out_and_repeats_nothing(
    day: str, cron: str, expected: list[str]
) -> None:
    lines = f'cron = "{cron}"\ntimezone = "Europe/Berlin"'
    assert first(lines, at(f"{day}T00:30"), len(expected)) == expected


def test_a_run_that_ends_in_the_repeated_hour_is_not_repeated() -> None:
    ended = at("2026-10-25T02:10", fold=1)
    ran = record(at("2026-10-25T02:30"), ended, since=at("2026-10-01T00:00"))
    lines = 'cron = "30 2 * * *"\ntimezone = "Europe/Berlin"'
    assert shown(next_start(job(lines), ran, ended)) == "10-26 02:30"


class TestClocks:
    """The clock is set while the scheduler runs; seconds pass evenly."""

    @pytest.mark.parametrize("change", [-HOUR, HOUR], ids=["back", "forward"])
    @pytest.mark.parametrize("lines", [DAILY, 'every = "1d"', 'cron = "17 3 * * *"'])
    def test_an_hour_neither_repeats_nor_drops_a_daily_run(self, lines: str, change: float) -> None:
        for moment in range(0, 12, 2):
            clock = changed(moment * HOUR + 60, change)
            assert len(life(job(lines), clock, 4 * DAY - 2 * HOUR, look=1200)) == 4

    @pytest.mark.parametrize("lines", ['cron = "*/5 * * * *"', 'every = "5min"'])
    def test_frequent_runs_go_on_after_it_was_set_back(self, lines: str) -> None:
        for back in (HOUR, 30 * DAY):
            starts = life(job(lines), changed(HOUR, -back), 2 * HOUR)
            assert max(later - start for start, later in pairwise(starts)) <= 3 * 300

    @settings(max_examples=12)
    @example('cron = "0 * * * *"', [(60, -3), (122, -120)], 0.0)
    @given(
        st.sampled_from(['cron = "*/20 * * * *"', 'every = "20min"', 'cron = "0 * * * *"']),
        st.lists(
            st.tuples(st.integers(0, 12 * 60), st.integers(-180, 180)), min_size=1, max_size=4
        ),
        st.sampled_from([0.0, 900.0, 5000.0]),
    )
    def test_whatever_clocks_do_there_is_no_storm_and_no_stall(
        self, lines: str, changes: list[tuple[int, int]], takes: float
    ) -> None:
        def clock(passed: float) -> float:
            return BEGIN + passed + sum(60 * by for when, by in changes if passed > 60 * when)

        starts = life(job(lines), clock, 20 * HOUR, takes=takes)
        period = 3600.0 if "0 * *" in lines and "20" not in lines else 1200.0
        for start, later in pairwise(starts):
            # Each time it is set back, a start is put off by as much, or by two periods.
            put_off = sum(
                min(-60 * by, 2 * period)
                for when, by in changes
                if by < 0 and start <= 60 * when <= later
            )
            assert later - start <= period + takes + put_off + 120
        # Each change may bring one start forward.
        assert len(starts) <= 20 * HOUR / max(period, takes) + 2 + len(changes)
