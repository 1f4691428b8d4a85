"""The ``Retry-After`` header (RFC 9110, section 10.2.3)."""

from __future__ import annotations

from datetime import datetime

from scrapy.http import Response

from crawler.http_times import http_date


def retry_after(response: Response, now: datetime) -> float | None:
    """Seconds to wait; None if the header is missing, invalid or not in the future.

    now: for dates; timezone-aware.
    """
    value = response.headers.get(b"Retry-After") or b""
    return seconds_of(value.decode("latin-1"), now)


def seconds_of(value: str, now: datetime) -> float | None:
    """The seconds in a header's value; None if it is invalid or not in the future.

    >>> now = datetime.fromisoformat("2026-05-01T12:00Z")
    >>> seconds_of("120", now), seconds_of("Fri, 01 May 2026 12:01:00 GMT", now)
    (120.0, 60.0)
    """
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12]) or None
    moment = http_date(text)
    seconds = (moment - now).total_seconds() if moment else 0.0
    return seconds if seconds > 0 else None
