"""What header fields say of time: dates, and for how long a response may be used."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_LONGEST: Final = 100
_MAX_AGE: Final = re.compile(r"(?:\A|[\s,])max-age\s*=\s*\"?(\d{1,10})", re.IGNORECASE)
_NOT_STORED: Final = re.compile(r"(?:\A|[\s,])no-(?:cache|store)(?:\Z|[\s,=])", re.IGNORECASE)


def http_date(text: str) -> datetime | None:
    """A date (RFC 9110, section 5.6.7), timezone-aware; None if it is none.

    One without a time zone is in UTC.

    >>> http_date("Thu, 01 Jan 1970 01:00:08 +0100").timestamp(), http_date("now")
    (8.0, None)
    """
    try:
        moment = parsedate_to_datetime(text.strip()[:_LONGEST])
    except (ValueError, IndexError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def freshness(cache_control: str) -> float | None:
    """Seconds for which a response may be used (RFC 9111, section 5.2.2); None if it does not say.

    0 if it must not be stored, or not be used without asking.

    >>> freshness("public, max-age=600"), freshness("no-cache, max-age=600"), freshness("public")
    (600.0, 0.0, None)
    """
    if _NOT_STORED.search(cache_control):
        return 0.0
    found = _MAX_AGE.search(cache_control)
    return float(found[1]) if found else None
