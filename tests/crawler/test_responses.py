"""What becomes of a response, and of the lack of one."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    IgnoreRequest,
)
from scrapy.http import Response

from crawler.fetching.leased_requests import LeaseLostError
from crawler.fetching.resource_limits import TooManyEncodingsError
from crawler.fetching.responses import judge, judge_failure
from crawler.outcomes import Done, Keep, Redirect, Rejection, Retry, Verdict
from crawler.politeness.robots import RobotsForbiddenError, RobotsUnreachableError

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
KEPT = ("text/html", "application/xhtml+xml")


def verdict(
    status: int, body: bytes = b"<p>x", kept: tuple[str, ...] = KEPT, **head: str
) -> Verdict:
    headers = {name.replace("_", "-"): value for name, value in head.items()}
    return judge(Response("http://a.example/", status, headers, body), kept, now=NOW)


def test_html_is_kept_also_where_the_header_is_missing() -> None:
    assert verdict(200, Content_Type="TEXT/HTML; charset=x") == Keep()
    assert verdict(200) == Keep()


@pytest.mark.parametrize(
    ("kinds", "is_kept"),
    [
        (["text/html, text/html; charset=utf-8"], True),
        (["text/plain", "text/html"], True),
        (["text/html", "text/plain"], False),
        (["text/html, image"], True),
        (["html"], True),  # names no type, so the body tells
    ],
)
def test_of_several_media_types_the_last_counts_as_in_browsers(
    kinds: list[str], *, is_kept: bool
) -> None:
    response = Response("http://a.example/", 200, {"Content-Type": kinds}, b"<p>x")
    assert (judge(response, KEPT, now=NOW) == Keep()) is is_kept


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"%PDF-1.7 ...", "text/html"),
        (b"\x00\x01\x02", "text/html"),
        (b"x", "application/zip"),
        (b'{"a": "<p>x"}', "text/html"),
        (b"<rss><channel><title>x</title></channel></rss>", ""),
        (b'<?xml version="1.0"?><urlset></urlset>', "application/xhtml+xml"),
    ],
)
def test_what_is_not_html_is_rejected(body: bytes, kind: str) -> None:
    found = verdict(200, body, Content_Type=kind)
    assert isinstance(found, Rejection)
    assert found.reason == "not-html"


def test_sitemaps_may_be_of_any_kind() -> None:
    assert verdict(200, b"\x1f\x8b...", kept=(), Content_Type="application/gzip") == Keep()
    assert verdict(200, b"<rss></rss>", kept=(), Content_Type="text/html") == Keep()


def test_a_job_may_want_what_is_no_html() -> None:
    kind = "application/json"
    assert verdict(200, b'{"a": 1}', kept=(*KEPT, kind), Content_Type=kind) == Keep()


def test_utf_16_pages_are_not_taken_for_binary() -> None:
    assert verdict(200, "\ufeff<p>text".encode("utf-16-le"), Content_Type="text/html") == Keep()


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (404, Done("not-found")),
        (410, Done("gone")),
        (403, Done("http-403")),
        (204, Done("http-204")),
        (304, Done("http-304")),
        (301, Done("http-301")),
        (500, Retry("http-500", of_host=True)),
        (203, Keep()),
        (408, Retry("http-408")),
        (425, Retry("http-425")),
        (429, Retry("http-429", 15, 15, of_host=True)),
    ],
)
def test_statuses(status: int, expected: Verdict) -> None:
    assert verdict(status) == expected


def test_an_empty_page_is_read_if_it_sends_its_visitors_elsewhere() -> None:
    assert verdict(200, body=b" ", Refresh="0; url=/next") == Keep()


def test_redirects_are_recognised_by_their_location() -> None:
    assert verdict(302, Location="/next") == Redirect(b"/next")


def test_retry_after_holds_for_the_url_and_its_host() -> None:
    assert verdict(503, Retry_After="7") == Retry("http-503", 7, 7, of_host=True)
    later = "Fri, 01 May 2026 12:02:00 GMT"
    assert verdict(429, Retry_After=later) == Retry("http-429", 120, 120, of_host=True)


def test_a_retry_after_of_nothing_leaves_the_patience_as_it_is() -> None:
    assert verdict(429, Retry_After="0") == verdict(429)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (DownloadTimeoutError(), Retry("timeout", of_host=True)),
        (LeaseLostError(), Retry(None)),
        (CannotResolveHostError(), Retry("dns", of_host=True)),
        (DownloadConnectionRefusedError(), Retry("connection: refused", of_host=True)),
        (DownloadFailedError(), Retry("connection: DownloadFailedError", of_host=True)),
        (IgnoreRequest("by another middleware"), Retry("connection: IgnoreRequest")),
        (RobotsForbiddenError("x", asked=True), Done("robots")),
        (RobotsForbiddenError("x", asked=False), Done("robots", sent=False)),
        (RobotsUnreachableError("x", 30), Retry("robots-unreachable", 30, 30)),
        (RobotsUnreachableError("x", 30, given_up=True), Retry("robots-unreachable", 30)),
    ],
)
def test_failures(error: Exception, expected: Verdict) -> None:
    assert judge_failure(error, refused=False) == expected


def test_too_large_is_a_rejection() -> None:
    found = judge_failure(DownloadCancelledError(), refused=False)
    assert isinstance(found, Rejection)
    assert found.reason == "too-large"


def test_what_is_packed_too_often_is_a_rejection() -> None:
    found = judge_failure(TooManyEncodingsError("packed 9 times"), refused=False)
    assert found == Rejection("too-many-codings", "packed 9 times")


def test_a_refused_address_is_named_whatever_the_error() -> None:
    found = judge_failure(RobotsUnreachableError("x", 30), refused=True)
    assert found == Done("private-address")
