"""How long a server asks to be left alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from crawler.politeness.retry_after import seconds_of

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    ["", "soon", "-5", "\u0663", "Fri, 99 May 2026", "1e9", "Fri, 01 May 99999999999 12:00:00 GMT"],
)
def test_nonsense_is_none(value: str) -> None:
    assert seconds_of(value, NOW) is None


@pytest.mark.parametrize("value", ["0", "Thu, 01 Jan 1970 00:00:00 GMT"])
def test_no_time_at_all_is_none(value: str) -> None:
    assert seconds_of(value, NOW) is None


def test_seconds_and_dates_are_read() -> None:
    assert seconds_of(" 7 ", NOW) == 7
    for zone in ("GMT", "-0000", "+0000"):
        assert seconds_of(f"Fri, 01 May 2026 12:02:00 {zone}", NOW) == 120
    assert seconds_of("Fri, 01 May 2026 14:02:00 +0200", NOW) == 120


def test_a_time_of_many_digits_is_long_and_no_more() -> None:
    assert seconds_of("9" * 5000, NOW) == 10**12 - 1
