"""Where a page leads."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup import parse
from crawler.discovery.links import MOST_LINKS, Links, links_of
from crawler.discovery.page_scan import LocalReader, PageScan, ScanRules
from crawler.items import Page
from crawler.lease import Lease

HERE = "http://example.com/a/page"


def read(html: str | bytes, **options: object) -> Links:
    return links_of(parse(html), HERE, **options)  # type: ignore[arg-type]


def urls(html: str, **options: object) -> list[str]:
    return [link.url for link in read(html, **options).links]


def scanned_page(html: str, *headers: tuple[str, str]) -> PageScan:
    page = Page(Lease.of_none(HERE), HERE, 200, headers, html.encode(), datetime.now(UTC))
    return asyncio.run(LocalReader(ScanRules()).read(page)).scan


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("b", "http://example.com/a/b"),
        ("/b?y=1&x=2#top", "http://example.com/b?y=1&x=2"),
        ("/plain/path.html", "http://example.com/plain/path.html"),
        ("/a/../b/.c", "http://example.com/b/.c"),
        ("/" + "-a" * 40 + "!", "http://example.com/" + "-a" * 40 + "!"),
        ("//other.example/x", "http://other.example/x"),
        ("../c", "http://example.com/c"),
        ("http:///c", "http://c/"),
        ("https://example.com/a/../c?d#e", "https://example.com/c?d"),
        (" \n /spaced\t/out ", "http://example.com/spaced/out"),
        ("https:\\\\example.com\\back", "https://example.com/back"),
        ("view.asp?file=docs\\intro.htm", "http://example.com/a/view.asp?file=docs%5Cintro.htm"),
        ("/caf\u00e9", "http://example.com/caf%C3%A9"),
        ("?page=2", "http://example.com/a/page?page=2"),
        ("/web/1/http://other.example/x", "http://example.com/web/1/http://other.example/x"),
        ("rel//x", "http://example.com/a/rel//x"),
        ("%2E./c", "http://example.com/c"),
    ],
)
def test_link_is_resolved_as_browsers_do(href: str, url: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == [url]


def test_a_link_without_query_leads_to_the_whole_list() -> None:
    page = parse("<a href='?'>all</a><a href=x//y>one</a>")
    links = links_of(page, "http://example.com/a//list?page=3").links
    assert [one.url for one in links] == [
        "http://example.com/a//list",
        "http://example.com/a//x//y",
    ]


@pytest.mark.parametrize(
    ("encoding", "url"),
    [
        ("gb18030", "http://example.com/%E6%96%B0%E9%97%BB?q=%D0%C2%CE%C5&n=1"),
        ("cp1251", "http://example.com/%E6%96%B0%E9%97%BB?q=%26%2326032%3B%26%2338395%3B&n=1"),
        ("utf-8", "http://example.com/%E6%96%B0%E9%97%BB?q=%E6%96%B0%E9%97%BB&n=1"),
        ("utf-16-le", "http://example.com/%E6%96%B0%E9%97%BB?q=%E6%96%B0%E9%97%BB&n=1"),
    ],
)
def test_a_query_is_written_in_the_encoding_of_the_page_as_browsers_do(
    encoding: str, url: str
) -> None:
    assert urls('<a href="/\u65b0\u95fb?q=\u65b0\u95fb&n=1">x</a>', encoding=encoding) == [url]


@pytest.mark.parametrize(
    "href",
    [
        "",
        "#top",
        "mailto:a@b.example",
        "javascript:go()",
        "file:///etc/passwd",
        "http://[::1",
        "tel:1",
    ],
)
def test_what_is_no_page_is_no_link(href: str) -> None:
    assert urls(f'<a href="{href}">x</a>') == []


def test_links_come_in_order_and_once() -> None:
    html = '<a href=/b>1</a><area href=/c><a href="/b#x">2</a><a href="/b?utm_source=mail">3</a>'
    assert urls(html) == ["http://example.com/b", "http://example.com/c"]


def test_frames_are_links() -> None:
    html = """<frameset cols="20%,*"><frame src="menu.htm"><frameset><frame src=/start><frame>
    </frameset><noframes><a href=/1>no frames</a></noframes></frameset>"""
    assert urls(html) == ["http://example.com/a/menu.htm", "http://example.com/start"]


def test_links_in_comments_scripts_and_templates_do_not_count() -> None:
    html = "<!-- <a href=/1> --><script>'<a href=/2>'</script><textarea><a href=/3></textarea>"
    assert urls(html) == []


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("/other/", "http://example.com/other/b"),
        ("https://cdn.example/x/", "https://cdn.example/x/b"),
        ("javascript:0", "http://example.com/a/b"),
        ("", "http://example.com/a/b"),
    ],
)
def test_base_changes_what_links_are_relative_to(base: str, url: str) -> None:
    assert urls(f'<base href="{base}"><base href="/second/"><a href=b>') == [url]


def test_nofollow_of_a_link_is_obeyed_unless_the_job_does_not() -> None:
    html = '<a rel="noopener NoFollow" href=/1></a><a rel=noopener href=/2></a>'
    assert urls(html) == ["http://example.com/2"]
    assert read(html).refused == 1
    assert urls(html, nofollow=False) == ["http://example.com/1", "http://example.com/2"]


def test_no_link_of_a_silent_page_is_followed() -> None:
    found = read("<a href=/1></a><a href=/2></a>", silent=True)
    assert (found.links, found.refused) == ((), 2)


def test_a_page_that_says_nofollow_is_silent_unless_the_job_does_not_care() -> None:
    html = "<meta name=robots content=nofollow><a href=/1></a>"
    assert scanned_page(html).links.links == ()
    assert scanned_page("<a href=/1></a>", ("x-robots-tag", "nofollow")).links.links == ()
    page = Page(Lease.of_none(HERE), HERE, 200, (), html.encode(), datetime.now(UTC))
    heedless = LocalReader(ScanRules(nofollow=False))
    assert asyncio.run(heedless.read(page)).scan.links.links


def test_canonical_link_is_read() -> None:
    found = read('<link rel="shortcut icon" href=/i><link rel=canonical href="/real">').canonical
    assert found
    assert found.url == "http://example.com/real"
    assert read("<link rel=canonical href='mailto:x'>").canonical is None


@pytest.mark.parametrize(
    ("content", "delay", "url"),
    [
        ("0; url=/next", 0, "http://example.com/next"),
        ("5;URL='/next'", 5, "http://example.com/next"),
        ('3.5 , "/next" and more', 3, "http://example.com/next"),
        ("0;/next", 0, "http://example.com/next"),
        ("0 url=/next", 0, "http://example.com/next"),
        ("1\n/next", 1, "http://example.com/next"),
        (".5;url=/next", 0, "http://example.com/next"),
        ("1.2.3 ; url=/next", 1, "http://example.com/next"),
    ],
)
def test_meta_refresh_is_read(content: str, delay: int, url: str) -> None:
    escaped = content.replace('"', "&quot;")
    refresh = read(f'<meta http-equiv=Refresh content="{escaped}">').refresh
    assert refresh
    assert (refresh.delay, refresh.target.url) == (delay, url)


@pytest.mark.parametrize("content", ["30", "30 ", "30;", "3s;url=/x", ";url=/x", "url=/x", "-1;/x"])
def test_what_is_no_delay_with_a_target_is_no_refresh(content: str) -> None:
    assert read(f"<meta http-equiv=refresh content='{content}'>").refresh is None


def test_refresh_inside_noscript_is_none() -> None:
    inside = "<noscript><meta http-equiv=refresh content='0;url=/x'></noscript>"
    assert read(inside).refresh is None


def test_the_header_is_read_as_meta_refresh_is_and_is_stronger() -> None:
    html = '<base href="/other/"><meta http-equiv=refresh content="5; url=said">'
    for header, delay, url in (
        ("0; URL='next'", 0, "http://example.com/a/next"),
        ("30", 5, "http://example.com/other/said"),
        ("", 5, "http://example.com/other/said"),
    ):
        refresh = read(html, refresh_header=header).refresh
        assert refresh
        assert (refresh.delay, refresh.target.url) == (delay, url)


def test_a_page_with_the_header_is_scanned_page_with_it() -> None:
    scan = scanned_page("", ("refresh", "0; url=/next"))
    assert scan.links.refresh
    assert scan.links.refresh.target.url == "http://example.com/next"


def test_number_of_links_is_bounded() -> None:
    html = "".join(f"<a href=/{number}>" for number in range(MOST_LINKS + 5))
    assert len(urls(html)) == MOST_LINKS


def test_an_index_of_many_fragments_leads_to_all_its_pages() -> None:
    entries = "".join(f"<a href=os.html#{number}>" for number in range(MOST_LINKS + 5))
    assert urls(f"{entries}<a href=#top><a href=zlib.html>") == [
        "http://example.com/a/os.html",
        "http://example.com/a/zlib.html",
    ]


@given(st.text(max_size=200), st.text(max_size=60))
def test_nothing_in_a_page_raises(text: str, href: str) -> None:
    html = f'<base href="{href}"><a href="{href}">{text}<meta http-equiv=refresh content="{href}">'
    for link in read(html).links:
        assert link.url.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("media_type", "expected"), [("application/xhtml+xml", [f"{HERE}/b"]), ("text/html", [])]
)
def test_what_ends_itself_is_told_by_the_media_type(media_type: str, expected: list[str]) -> None:
    html = f"<html><body><script/><a href='{HERE}/b'>b</a><p>words</p></body></html>"
    scan = scanned_page(html, ("content-type", media_type))
    assert [link.url for link in scan.links.links] == expected
