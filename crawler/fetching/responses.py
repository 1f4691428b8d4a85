"""Decides what to do with a response, or a failed request: the result is one of ``outcomes``.

It looks at the status, the headers, and whether the body may be HTML.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.http import Headers, Response
from w3lib.encoding import http_content_type_encoding

from corpus_commons.markup.encoding import is_binary
from corpus_commons.markup.foreign_text import foreign_text
from corpus_commons.markup.media_type import last_media_type
from crawler.fetching.leased_requests import LeaseLostError
from crawler.fetching.quiet_hours import QuietHourError
from crawler.fetching.resource_limits import TooManyEncodingsError
from crawler.items import Page, Timings, header_pairs
from crawler.lease import Lease
from crawler.outcomes import (
    CONNECTION,
    DNS,
    EMPTY,
    GONE,
    HTTP,
    NOT_FOUND,
    NOT_HTML,
    PRIVATE_ADDRESS,
    ROBOTS,
    ROBOTS_UNREACHABLE,
    TIMEOUT,
    TOO_LARGE,
    TOO_MANY_ENCODINGS,
    Done,
    Keep,
    Redirect,
    Rejection,
    Retry,
    Verdict,
)
from crawler.politeness.retry_after import retry_after
from crawler.politeness.robots import RobotsForbiddenError, RobotsUnreachableError
from crawler.politeness.shared_files import is_in_trouble

_MOVED: Final = frozenset({301, 302, 303, 307, 308})
# Request Timeout, Too Early and Too Many Requests are transient; other client errors are permanent.
_TRANSIENT: Final = frozenset({408, 425, 429})
_HTML: Final = frozenset({"", "text/html", "application/xhtml+xml"})
_NAMED: Final = {404: NOT_FOUND, 410: GONE}
# The delay after a 429 without Retry-After.
_DEFAULT_DELAY: Final = 15.0
_LABEL: Final = re.compile(r"[^\w./+-]")


def judge(response: Response, content_types: Collection[str], *, now: datetime) -> Verdict:
    """The verdict on a response.

    content_types: media types to keep; empty keeps all, as for sitemaps.
    now: for dates in ``Retry-After``; timezone-aware.
    """
    status = response.status
    if status in (200, 203):
        return _judge_body(response, content_types)
    if status in _MOVED:
        location = response.headers.get(b"Location")
        return Redirect(location) if location else Done(f"{HTTP}{status}")
    if status >= 500 or status in _TRANSIENT:
        wait = retry_after(response, now)
        if wait is None and status == 429:
            wait = _DEFAULT_DELAY
        return Retry(f"{HTTP}{status}", wait, wait, of_host=is_in_trouble(response))
    return Done(_NAMED.get(status, f"{HTTP}{status}"))


def _judge_body(response: Response, content_types: Collection[str]) -> Verdict:
    kind = media_type(response.headers)
    if content_types and not is_kept(kind, content_types):
        return Rejection(NOT_HTML, kind)
    # An empty page may still redirect by its Refresh header.
    if not response.body.strip() and b"Refresh" not in response.headers:
        return Rejection(EMPTY, "the body is empty")
    found = _other_than_page(kind, response.body) if content_types else ""
    if found:
        return Rejection(NOT_HTML, f"{found}, though sent as {kind or 'no media type'}")
    return Keep()


def _other_than_page(kind: str, body: bytes) -> str:
    """What the body is instead; empty if it may be a page, or what its media type says."""
    if is_binary(body):
        return "binary"
    return foreign_text(body) if kind in _HTML else ""


def media_type(headers: Headers) -> str:
    """The media type in the headers, in lower case; empty if there is none.

    >>> media_type(Headers({"Content-Type": "Text/HTML; charset=utf-8"}))
    'text/html'
    """
    return last_media_type(value.decode("latin-1") for value in headers.getlist(b"Content-Type"))


def is_kept(kind: str, content_types: Collection[str]) -> bool:
    """Whether a media type is kept; also true if it is unknown."""
    return not kind or kind in content_types


def page_of(
    response: Response,
    lease: Lease,
    moment: datetime,
    *,
    redirects: Iterable[str] = (),
    timings: Timings | None = None,
) -> Page:
    """The page in a response. moment: when it arrived."""
    headers = header_pairs(response.headers)
    return Page(
        lease=lease,
        url=response.url,
        status=response.status,
        headers=headers,
        html=response.body,
        fetched_at=moment,
        redirects=tuple(redirects),
        charset=http_content_type_encoding(dict(headers).get("content-type")),
        timings=timings or Timings(),
    )


def judge_failure(error: BaseException | None, *, refused: bool) -> Verdict:
    """The verdict on a request that failed.

    refused: whether all addresses of its host are forbidden.
    """
    if refused:
        return Done(PRIVATE_ADDRESS)
    if isinstance(error, LeaseLostError):
        return Retry(None)
    if isinstance(error, QuietHourError):
        return Retry(None, error.wait, error.wait)
    if isinstance(error, RobotsForbiddenError):
        return Done(ROBOTS, sent=error.asked)
    if isinstance(error, RobotsUnreachableError):
        # If the host is given up, only the URL waits, so that its host's URLs use up their tries.
        wait = error.retry_after
        return Retry(ROBOTS_UNREACHABLE, wait, None if error.given_up else wait)
    if isinstance(error, TooManyEncodingsError):
        return Rejection(TOO_MANY_ENCODINGS, str(error))
    if isinstance(error, DownloadCancelledError):
        return Rejection(TOO_LARGE, "the page is larger than limits.page_size")
    return Retry(_reason(error), of_host=not isinstance(error, IgnoreRequest))


def _reason(error: BaseException | None) -> str:
    if isinstance(error, DownloadTimeoutError):
        return TIMEOUT
    if isinstance(error, CannotResolveHostError):
        return DNS
    if isinstance(error, DownloadConnectionRefusedError):
        return f"{CONNECTION}refused"
    detail = _LABEL.sub("", type((error and error.__cause__) or error).__name__)
    return f"{CONNECTION}{detail}"
