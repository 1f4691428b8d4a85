"""``[schedule]``: what may stand there, and what contradicts itself."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from settings import Job, JobError, parse_job
from settings.toml_text import to_toml

BEGIN = 'name = "x"\nseeds.urls = ["http://localhost/"]\n[schedule]\n'


def job(lines: str) -> Job:
    return parse_job(BEGIN + lines, source="job.toml")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('every = "6h"\ncron = "0 3 * * *"', "5: schedule.cron is"),
        (
            'jitter = "1min"',
            '3: schedule has neither every nor cron; add one, such as every = "6h"',
        ),
        (
            'every = "1h"\njitter = "2h"',
            'schedule.jitter is "2h"; it must be less than every, "1h"',
        ),
        ('every = "soon"', 'schedule.every is "soon"; it must be a duration such as'),
        ('every = "10ms"', 'schedule.every is "10ms"; it must be at least 1s'),
        ('cron = "0 3 * *"', "it must have five fields (minute, hour"),
        ('cron = "61 3 * * *"', "it must be a cron expression such as"),
        ('cron = "0 0 30 2 *"', "it must be a cron expression such as"),
        ('cron = "* * */20 * 1L"', "it must name days that exist"),
        ('cron = "@daily"', "it must have five fields"),
        ('cron = "0 3 * * *"\ntimezone = "Berlin"', 'such as "UTC" or "Europe/Berlin"'),
        ('cron = "0 3 * * *"\ntimezone = "../etc"', "it must be the name of a time zone"),
        ('every = "6h"\nuntil = "soon"', "it must be a date or a time, such as 2027-01-31"),
        ('every = "6h"\non_overlap = "stop"', 'it must be "skip" or "wait"'),
    ],
)
def test_what_is_wrong_is_told_with_its_line(lines: str, told: str) -> None:
    with pytest.raises(JobError) as caught:
        job(lines)
    assert told.replace("3: ", "job.toml:3: ") in str(caught.value)


@pytest.mark.parametrize(
    ("until", "expected"),
    [
        ("2027-01-31", datetime(2027, 1, 31)),
        ('"2027-01-31"', datetime(2027, 1, 31)),
        ("2027-01-31T18:00:00Z", datetime(2027, 1, 31, 18, tzinfo=UTC)),
    ],
)
def test_an_end_is_a_date_or_a_time_of_toml_or_in_quotes(until: str, expected: datetime) -> None:
    assert job(f'every = "6h"\nuntil = {until}').schedule.until == expected


@pytest.mark.parametrize("lines", ["", 'cron = "0 3 * * SUN"\nuntil = 2027-01-31', "every = 90"])
def test_it_is_written_as_it_was_read(lines: str) -> None:
    written = job(lines)
    assert parse_job(to_toml(written)) == written
    assert written.schedule.is_set == bool(lines)
