"""A host is left alone in its quiet hours, and its owner is told who asks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from settings.hours import Hours
from settings.tables.politeness import Politeness


@pytest.mark.parametrize(
    ("text", "host", "moment", "left"),
    [
        ("example.com 08:00-18:00", "example.com", "2026-05-01T08:00:00+00:00", 36_000),
        ("example.com 08:00-18:00", "example.com", "2026-05-01T18:00:00+00:00", 0),
        ("example.com 08:00-18:00", "other.com", "2026-05-01T12:00:00+00:00", 0),
        ("example.com 08:00-18:00", "www.example.com", "2026-05-01T17:59:00+00:00", 60),
        ("* 22:00-06:00", "any.example", "2026-05-01T23:00:00+00:00", 7 * 3600),
        ("* 22:00-06:00 Europe/Berlin", "any.example", "2026-05-01T21:00:00+00:00", 7 * 3600),
        # The night in which clocks are set forward by an hour is shorter.
        ("* 00:00-06:00 Europe/Berlin", "a.example", "2026-03-28T23:00:00+00:00", 5 * 3600),
    ],
)
def test_hours_end_by_the_clock_of_their_zone(
    text: str, host: str, moment: str, left: float
) -> None:
    assert Hours.of(text).left(host, datetime.fromisoformat(moment)) == left


@pytest.mark.parametrize(
    "text",
    [
        "08:00-18:00",
        "a.com 8-18",
        "a.com 08:00-08:00",
        "a.com 08:00-25:00",
        "* 08:00-09:00 Nowhere",
    ],
)
def test_a_job_says_hours_in_one_form(text: str) -> None:
    with pytest.raises(ValueError, match="quiet_hours"):
        Politeness.model_validate({"quiet_hours": [text]})


def test_a_host_is_visited_after_its_quiet_hours(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {}, PAGE)
    with Web("127.0.0.2") as busy:
        busy.answers["/"] = (200, {}, PAGE)
        now = datetime.now(UTC)
        begin, end = now - timedelta(minutes=5), now + timedelta(hours=2)
        hours = f"127.0.0.2 {begin:%H:%M}-{end:%H:%M}"
        job = (
            f'seeds.urls = ["{web.base}/", "{busy.base}/"]\nlimits.total_time = "1s"\n'
            f'[politeness]\ndelay = 0\ncontact = "me@example.com"\nquiet_hours = ["{hours}"]'
        )
        crawling = Crawling(tmp_path, job)
        crawling.run()
        assert busy.asked == []
    assert web.asked == ["/robots.txt", "/"]
    assert set(web.senders) == {"me@example.com"}
    stats = crawling.stats()
    assert (stats.done, stats.queued, stats.dead) == (1, 1, 0)
