"""What the crawl makes of pages without content."""

from __future__ import annotations

import pytest

from corpus_commons.empty_pages import Reason
from corpus_commons.markup import parse
from crawler.discovery.page_scan import LABELS, PageScan, ScanTask
from crawler.outcomes import Rejection


def scanned(html: str, *, scripts_ran: bool = False) -> PageScan:
    return ScanTask(scripts_ran=scripts_ran).scan(parse(html), "http://a.example/")


def test_a_shell_is_rejected_as_empty_and_needs_a_browser() -> None:
    shell = "<div id=app>Loading</div><script src=/app.js></script>"
    detail = "shell: says only: Loading; a browser may fill it"
    assert scanned(shell).empty == Rejection("empty", detail)
    assert scanned(shell).needs_browser
    assert scanned(shell, scripts_ran=True) == PageScan(characters=len("Loading"))


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        ("<title>Page not found</title><p>Sorry.", "soft-error"),
        ("<title>Just a moment</title><p>Verify you are human.", "captcha"),
        ("<h1>Log in</h1><input type=password>", "login-wall"),
        ("<h1>This domain is for sale</h1>", "parked"),
        ("<p>We use cookies and respect your privacy, as we say in our notice about consent and "
         "partners.</p><button>Accept</button>", "consent-wall"),
    ],
)  # fmt: skip
def test_errors_walls_and_parked_domains_need_no_browser(html: str, reason: str) -> None:
    scan = scanned(f"{html}<script src=/a.js></script>")
    assert scan.empty is not None
    assert (scan.empty.reason, scan.needs_browser) == (reason, False)


def test_links_of_an_empty_page_are_found() -> None:
    scan = scanned("<title>Page not found</title><a href=/home>Home</a>")
    assert [link.url for link in scan.links.links] == ["http://a.example/home"]


def test_every_reason_has_a_label() -> None:
    assert LABELS.keys() == set(Reason)
