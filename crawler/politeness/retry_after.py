"""The ``Retry-After`` header (RFC 9110, section 10.2.3)."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from scrapy.http import Response


def retry_after(response: Response, now: datetime) -> float | None:
    """Seconds to wait; None if the header is missing, invalid or not in the future.

    now: for dates; timezone-aware.
    """
    value = response.headers.get(b"Retry-After") or b""
    return seconds_of(value.decode("latin-1"), now)


def seconds_of(value: str, now: datetime) -> float | None:
    """The seconds in a header's value; None if it is invalid or not in the future.

    >>> seconds_of("120", datetime.now(UTC)), seconds_of("0", datetime.now(UTC))
    (120.0, None)
    >>> seconds_of("Fri, 01 May 2026 12:01:00 GMT", datetime(2026, 5, 1, 12, tzinfo=UTC))
    60.0
    """
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12]) or None
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    seconds = (moment - now).total_seconds()
    return seconds if seconds > 0 else None
