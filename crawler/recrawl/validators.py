"""Conditional requests (RFC 9110, section 13): only fetch a page that has changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from email.utils import formatdate
from typing import Final

from crawler.http_times import freshness, http_date
from crawler.recrawl.history import History

# After so many answers in a row that nothing has changed, the page is read whatever the server
# says, because there are servers that say so for ever.
MOST_UNREAD: Final = 8
_LONGEST_ETAG: Final = 256
_ETAG: Final = re.compile(r'(?:W/)?"[\x21\x23-\x7e]*"')


def conditions(history: History, scope: str = "") -> dict[str, str]:
    """The headers that ask for the page only if it has changed; empty if it is to be read.

    scope: the job's, as ``History.scope``. By another one, the page's links are chosen anew.

    A text that was not kept is read again: a filter may be another one now, or the page gone that
    had the text first. So is a page that was gone, as its text becomes a new version.

    >>> conditions(History(visited_at=9, first_seen=9, changed_at=9, etag='"1"', last_modified=8))
    {'If-None-Match': '"1"', 'If-Modified-Since': 'Thu, 01 Jan 1970 00:00:08 GMT'}
    """
    headers: dict[str, str] = {}
    if history.scope != scope:
        return headers
    if history.is_refused or history.is_buried or history.unread >= MOST_UNREAD:
        return headers
    if history.etag:
        headers["If-None-Match"] = history.etag
    if history.last_modified:
        headers["If-Modified-Since"] = formatdate(history.last_modified, usegmt=True)
    return headers


def without_validators(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The headers of a response that is to be read at the next visit, whatever has changed."""
    return tuple(pair for pair in headers if pair[0] not in ("etag", "last-modified"))


def etag_of(headers: Mapping[str, str]) -> str:
    """The ETag of a response; empty if it has none that can be sent back.

    >>> etag_of({"etag": 'W/"abc"'}), etag_of({"etag": "abc"})
    ('W/"abc"', '')
    """
    etag = headers.get("etag", "").strip()
    return etag if len(etag) <= _LONGEST_ETAG and _ETAG.fullmatch(etag) else ""


def last_modified_of(headers: Mapping[str, str], now: float) -> int:
    """When a response was last modified, in seconds since 1970; 0 if that is unknown.

    >>> last_modified_of({"last-modified": "Thu, 01 Jan 1970 00:00:08 GMT"}, now=9.0)
    8
    """
    return int(seconds_of_date(headers.get("last-modified", ""), now) or 0)


def seconds_of_date(text: str, now: float) -> float | None:
    """The seconds since 1970 of a date; None if it is none, or in the future.

    >>> seconds_of_date("Thu, 01 Jan 1970 01:00:08 +0100", now=9.0), seconds_of_date("now", now=9.0)
    (8.0, None)
    """
    moment = http_date(text)
    return moment.timestamp() if moment and 0 < moment.timestamp() <= now else None


def lifetime_of(headers: Mapping[str, str]) -> float:
    """For how many seconds a response stays fresh by its Cache-Control; 0 if it does not say.

    >>> lifetime_of({"cache-control": "public, max-age=600"})
    600.0
    >>> lifetime_of({"cache-control": "no-cache, max-age=600"}), lifetime_of({})
    (0.0, 0.0)
    """
    return freshness(headers.get("cache-control", "")) or 0.0
