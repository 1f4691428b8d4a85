"""How long a host's file may be used, by HTTP caching (RFC 9111, sections 4.2 and 5)."""

from __future__ import annotations

from typing import Final

from scrapy.http import Headers, Response

from crawler.http_times import freshness, http_date

# RFC 9309, section 2.4: robots.txt is used for no more than a day.
LONGEST: Final = 24 * 3600.0
# Files that must not be stored would be requested for every page; within a visit, one is enough.
SHORTEST: Final = 600.0
# A cache on the way may send what is past its lifetime already.
_LEAST_LEFT: Final = 60.0


def lifetime(response: Response) -> float:
    """Seconds that are left of it: as its headers say, within bounds; a day if they say nothing.

    >>> lifetime(Response("http://a.test/", headers={"Cache-Control": "max-age=7200", "Age": "60"}))
    7140.0
    """
    fresh = _freshness(response.headers)
    whole = LONGEST if fresh is None else min(max(fresh, SHORTEST), LONGEST)
    return max(_LEAST_LEFT, whole - age(response))


def age(response: Response) -> float:
    """Seconds since the server made the response, by its ``Age`` header; 0 if it has none."""
    value = _value(response.headers, "Age").strip()
    return float(value[:9]) if value.isascii() and value.isdigit() else 0.0


def _freshness(headers: Headers) -> float | None:
    told = freshness(_value(headers, "Cache-Control"))
    expires, date = (http_date(_value(headers, name)) for name in ("Expires", "Date"))
    if told is None and expires and date:
        return (expires - date).total_seconds()
    return told


def _value(headers: Headers, name: str) -> str:
    return b", ".join(headers.getlist(name)).decode("latin-1")
