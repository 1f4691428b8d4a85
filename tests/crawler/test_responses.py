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

from crawler.discovery.empty_pages import visible
from crawler.discovery.links import tree_of
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
    ("body", "kind"),
    [(b"%PDF-1.7 ...", "text/html"), (b"\x00\x01\x02", "text/html"), (b"x", "application/zip")],
)
def test_what_is_not_html_is_rejected(body: bytes, kind: str) -> None:
    found = verdict(200, body, Content_Type=kind)
    assert isinstance(found, Rejection)
    assert found.reason == "not-html"


def test_sitemaps_may_be_of_any_kind() -> None:
    assert verdict(200, b"\x1f\x8b...", kept=(), Content_Type="application/gzip") == Keep()


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
        (500, Retry("http-500")),
        (203, Keep()),
        (408, Retry("http-408")),
        (425, Retry("http-425")),
        (429, Retry("http-429", 15, 15)),
    ],
)
def test_statuses(status: int, expected: Verdict) -> None:
    assert verdict(status) == expected


def test_an_empty_page_is_read_if_it_sends_its_visitors_elsewhere() -> None:
    assert verdict(200, body=b" ", Refresh="0; url=/next") == Keep()


def test_redirects_are_recognised_by_their_location() -> None:
    assert verdict(302, Location="/next") == Redirect(b"/next")


def test_retry_after_holds_for_the_url_and_its_host() -> None:
    assert verdict(503, Retry_After="7") == Retry("http-503", 7, 7)
    later = "Fri, 01 May 2026 12:02:00 GMT"
    assert verdict(429, Retry_After=later) == Retry("http-429", 120, 120)


def test_a_retry_after_of_nothing_leaves_the_patience_as_it_is() -> None:
    assert verdict(429, Retry_After="0") == verdict(429)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (DownloadTimeoutError(), Retry("timeout")),
        (LeaseLostError(), Retry(None)),
        (CannotResolveHostError(), Retry("dns")),
        (DownloadConnectionRefusedError(), Retry("connection: refused")),
        (DownloadFailedError(), Retry("connection: DownloadFailedError")),
        (RobotsForbiddenError(), Done("robots")),
        (RobotsUnreachableError("x", 30), Retry("robots-unreachable", 30, 30)),
        (RobotsUnreachableError("x", 30, given_up=True), Retry("robots-unreachable", 30)),
    ],
)
def test_failures(error: Exception, expected: Verdict) -> None:
    assert judge_failure(error, refused=False) == expected


@pytest.mark.parametrize("error", [DownloadCancelledError(), IgnoreRequest("decompression")])
def test_too_large_is_a_rejection(error: Exception) -> None:
    found = judge_failure(error, refused=False)
    assert isinstance(found, Rejection)
    assert found.reason == "too-large"


def test_what_is_packed_too_often_is_a_rejection() -> None:
    found = judge_failure(TooManyEncodingsError("packed 9 times"), refused=False)
    assert found == Rejection("too-many-codings", "packed 9 times")


def test_a_refused_address_is_named_whatever_the_error() -> None:
    found = judge_failure(RobotsUnreachableError("x", 30), refused=True)
    assert found == Done("private-address")


def empty(html: str, **options: bool) -> str | None:
    found = visible(tree_of(html), **options).empty
    return found.reason if found else None


def test_a_shell_is_empty_until_a_browser_has_filled_it() -> None:
    shell = "<title>App</title><div id=app>Loading</div><script src=/app.js></script>"
    assert empty(shell) == "empty"
    assert empty(shell, scripts_ran=True) is None
    assert empty("<script>app()</script>", scripts_ran=True) == "empty"


@pytest.mark.parametrize(
    "content",
    [
        "<main id=root></main>",
        "<main>Please wait while the page is loading. If nothing happens within a few seconds, "
        "please make sure that JavaScript is enabled in the browser. <a href=/help>Help</a></main>",
        "<p>Um diese Seite in vollem Umfang nutzen zu können, aktivieren Sie bitte JavaScript in "
        "den Einstellungen Ihres Browsers, und laden Sie sie dann neu.",
        "<p>" + " \n" * 200,
    ],
)
def test_a_shell_may_have_a_header_a_footer_and_a_notice(content: str) -> None:
    around = "<header><a href=/>Home</a> <a href=/about>About</a></header>{}<footer>© Acme</footer>"
    page = around.format(content) + "<script src=/app.js></script>"
    assert empty(page) == "empty"
    assert empty(page.replace("script", "b")) is None


def test_a_shell_that_says_all_in_noscript_needs_no_browser() -> None:
    shell = "<div id=app></div><noscript>{}</noscript><script src=/app.js></script>"
    assert empty(shell.format("You need to enable JavaScript to run this app.")) == "empty"
    assert empty(shell.format("<p>What was said in a thread. " * 30)) is None
    assert empty(shell.format("<p>What was said in a thread. " * 30), scripts_ran=True) == "empty"


@pytest.mark.parametrize(
    "content",
    [
        "<p>The museum is open from Tuesday to Sunday, ten to six; on Mondays it is open to "
        "schools that have asked before.",
        "<p>JavaScript is a language that browsers read. It was made in ten days, in the year "
        "1995, for a browser that nobody has any more.",
        "<p>See <a href=/programme>the programme</a>.",
    ],
)
def test_a_short_page_with_scripts_is_a_page(content: str) -> None:
    assert empty(f"<nav><a href=/>Home</a></nav>{content}<script>count()</script>") is None


def test_a_short_page_without_scripts_is_a_page() -> None:
    assert empty("<p>Closed on Monday.</p>") is None


@pytest.mark.parametrize(
    "html",
    [
        "<title>404: Page not found</title><p>Sorry.",
        "<title>Shop</title><h1>Die Seite wurde nicht gefunden</h1>",
        "<title>页面不存在</title><p>返回首页",
        "<title>404</title><p>Sorry.",
        "<title>404 | Acme</title><p>Sorry.",
        "<title>Acme - 404!</title><p>Sorry.",
        "<title>HTTP Error 404</title><p>Sorry.",
        "<title>错误404</title><p>返回首页",
        "<title>找不到网页</title><p>返回首页",
        "<h1>This product is no longer available</h1>",
    ],
)
def test_soft_errors(html: str) -> None:
    assert empty(html) == "soft-error"


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Error 404, and what it means", "word " * 300),
        ("財布が見つかりません。紛失したときに最初にすること", "落ち着いて探しましょう。" * 30),
        ("找不到工作怎么办？", "先想一想，你要做什么。" * 30),
    ],
)
def test_a_long_page_about_errors_is_none(title: str, text: str) -> None:
    assert empty(f"<title>{title}</title><p>{text}") is None


@pytest.mark.parametrize(
    "title", ["Peugeot 404", "Peugeot 404 - Classic cars", "Highway 404: a map", "404-555-0100"]
)
def test_a_number_of_something_else_is_no_error(title: str) -> None:
    assert empty(f"<title>{title}</title><p>A short text.") is None
