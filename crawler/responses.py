"""What becomes of a response, or of the lack of one: judged by status, headers and first bytes.

The words for what becomes of them are in ``crawler.verdicts``.
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

from crawler.codings import TooManyCodingsError
from crawler.frontier.base import Lease
from crawler.items import Page, Timings, header_pairs
from crawler.retry_after import retry_after
from crawler.robots import RobotsForbiddenError, RobotsUnreachableError
from crawler.verdicts import (
    EMPTY,
    NOT_HTML,
    PRIVATE_ADDRESS,
    ROBOTS,
    ROBOTS_UNREACHABLE,
    TOO_LARGE,
    TOO_MANY_CODINGS,
    Done,
    Keep,
    Redirect,
    Rejection,
    Retry,
    Verdict,
)
from crawler.visits import LeaseLostError

_MOVED: Final = frozenset({301, 302, 303, 307, 308})
# Too Early, Request Timeout and Too Many Requests pass; the other errors of the 400s stay.
_PASSING: Final = frozenset({408, 425, 429})
_NAMED: Final = {404: "not-found", 410: "gone"}
# Asked for patience without a time: a host that counts requests needs more than a moment.
_PATIENCE: Final = 15.0
_BINARY: Final = (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x1f\x8b")
_LABEL: Final = re.compile(r"[^\w./+-]")


def judge(response: Response, content_types: Collection[str], *, now: datetime) -> Verdict:
    """What becomes of a response.

    content_types: media types that are kept; empty keeps all, as for sitemaps.
    now: from which a date in ``Retry-After`` is counted; aware.
    """
    status = response.status
    if status in (200, 203):
        return _judge_body(response, content_types)
    if status in _MOVED:
        location = response.headers.get(b"Location")
        return Redirect(location) if location else Done(f"http-{status}")
    if status >= 500 or status in _PASSING:
        wait = retry_after(response, now)
        if wait is None and status == 429:
            wait = _PATIENCE
        return Retry(f"http-{status}", wait, wait)
    return Done(_NAMED.get(status, f"http-{status}"))


def _judge_body(response: Response, content_types: Collection[str]) -> Verdict:
    kind = media_type(response.headers)
    if content_types and not is_kept(kind, content_types):
        return Rejection(NOT_HTML, kind)
    # An empty page may still send its visitors elsewhere.
    if not response.body.strip() and b"Refresh" not in response.headers:
        return Rejection(EMPTY, "the body is empty")
    if content_types and is_binary(response.body):
        return Rejection(NOT_HTML, f"sent as {kind or 'nothing'}, but is binary")
    return Keep()


def media_type(headers: Headers) -> str:
    """The media type that a response says it has, in lower case; empty if it says none.

    >>> media_type(Headers({"Content-Type": "Text/HTML; charset=utf-8"}))
    'text/html'
    """
    value = headers.get(b"Content-Type") or b""
    return value.decode("latin-1").partition(";")[0].strip().lower()[:100]


def is_kept(kind: str, content_types: Collection[str]) -> bool:
    """Whether a media type is among those kept; a page that does not say is looked at."""
    return not kind or kind in content_types


def is_binary(body: bytes) -> bool:
    """Whether its first bytes show that it is no page, whatever it is called.

    >>> is_binary(b"%PDF-1.7"), is_binary(b"<p>A page")
    (True, False)
    """
    start = body[:1024]
    # UTF-16 pages are full of zeros, and begin with a mark.
    return start.startswith(_BINARY) or (
        b"\0" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")) and b"<" not in start
    )


def page_of(
    response: Response,
    lease: Lease,
    moment: datetime,
    *,
    redirects: Iterable[str] = (),
    timings: Timings | None = None,
) -> Page:
    """The page that a response holds, which arrived at the moment."""
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
    """What becomes of a URL that gave no response.

    refused: whether its host has none but addresses that may not be dialled.
    """
    if refused:
        return Done(PRIVATE_ADDRESS)
    if isinstance(error, LeaseLostError):
        return Retry(None)
    if isinstance(error, RobotsForbiddenError):
        return Done(ROBOTS)
    if isinstance(error, RobotsUnreachableError):
        # A host that is given up is not waited for: its URLs use up their tries meanwhile.
        wait = error.retry_after
        return Retry(ROBOTS_UNREACHABLE, wait, None if error.given_up else wait)
    if isinstance(error, TooManyCodingsError):
        return Rejection(TOO_MANY_CODINGS, str(error))
    # Scrapy's decompression refuses what grows beyond the limit by ignoring the request.
    if isinstance(error, DownloadCancelledError | IgnoreRequest):
        return Rejection(TOO_LARGE, "the page is larger than limits.page_size")
    return Retry(_reason(error))


def _reason(error: BaseException | None) -> str:
    if isinstance(error, DownloadTimeoutError):
        return "timeout"
    if isinstance(error, CannotResolveHostError):
        return "dns"
    if isinstance(error, DownloadConnectionRefusedError):
        return "connection: refused"
    detail = _LABEL.sub("", type((error and error.__cause__) or error).__name__)
    return f"connection: {detail}"
