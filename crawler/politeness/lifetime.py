"""How long a host's file may be used, by HTTP caching (RFC 9111, sections 4.2 and 5)."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from typing import Final

from scrapy.http import Headers, Response

# RFC 9309, section 2.4: robots.txt is used for no more than a day.
LONGEST: Final = 24 * 3600.0
# Files that must not be stored would be requested for every page; within a visit, one is enough.
SHORTEST: Final = 600.0
# A cache on the way may send what is past its lifetime already.
_LEAST_LEFT: Final = 60.0
_MAX_AGE: Final = re.compile(r"(?:\A|[\s,])max-age\s*=\s*\"?(\d{1,9})", re.IGNORECASE)
_NOT_STORED: Final = re.compile(r"(?:\A|[\s,])(?:no-store|no-cache)(?:\Z|[\s,=])", re.IGNORECASE)


def lifetime(response: Response) -> float:
    """Seconds that are left of it: as its headers say, within bounds; a day if they say nothing.

    >>> lifetime(Response("http://a.test/", headers={"Cache-Control": "max-age=7200", "Age": "60"}))
    7140.0
    """
    return max(_LEAST_LEFT, _freshness(response.headers) - age(response))


def age(response: Response) -> float:
    """Seconds since the server made the response, by its ``Age`` header; 0 if it has none."""
    value = _value(response.headers, "Age").strip()
    return float(value[:9]) if value.isascii() and value.isdigit() else 0.0


def _freshness(headers: Headers) -> float:
    control = _value(headers, "Cache-Control")
    if _NOT_STORED.search(control):
        return SHORTEST
    if found := _MAX_AGE.search(control):
        return _bounded(float(found[1]))
    try:
        expires, date = (
            parsedate_to_datetime(_value(headers, name)) for name in ("Expires", "Date")
        )
        return _bounded((expires - date).total_seconds())
    except (ValueError, IndexError, TypeError, OverflowError):
        return LONGEST


def _bounded(seconds: float) -> float:
    return min(max(seconds, SHORTEST), LONGEST)


def _value(headers: Headers, name: str) -> str:
    return b", ".join(headers.getlist(name)).decode("latin-1")
