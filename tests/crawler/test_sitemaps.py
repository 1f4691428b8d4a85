"""What sitemaps, feeds and robots.txt list."""

from __future__ import annotations

import contextlib
import gzip
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.discovery import sitemap_xml, sitemaps
from crawler.discovery.sitemap_xml import SitemapError
from crawler.discovery.sitemaps import Sitemap, read_sitemap
from crawler.frontier.url_meta import Kind
from tests.cpu_time import bounded_time

AT = "http://example.com/dir/list.xml"
URLSET = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://example.com/a?x=1&amp;y=2 </loc></url><url><loc>/b</loc></url></urlset>"""
PAGES = ("http://example.com/a?x=1&y=2", "http://example.com/b")


def test_sitemap_gzipped_or_not() -> None:
    assert read_sitemap(Kind.SITEMAP, URLSET, AT).pages == PAGES
    assert read_sitemap(Kind.SITEMAP, gzip.compress(URLSET), AT).pages == PAGES


def test_sitemap_index_and_text_sitemap() -> None:
    index = b"""<x:sitemapindex xmlns:x='u'><x:sitemap><x:loc>/s1.xml</x:loc></x:sitemap>
    </x:sitemapindex>"""
    assert read_sitemap(Kind.SITEMAP, index, AT) == Sitemap(sitemaps=("http://example.com/s1.xml",))
    text = b"http://example.com/1\r\n\r\nhttp://example.com/2\n"
    pages = ("http://example.com/1", "http://example.com/2")
    assert read_sitemap(Kind.SITEMAP, text, AT).pages == pages


@pytest.mark.parametrize("before", ["\n", "  \r\n", "\ufeff", "\ufeff\n"])
def test_xml_may_begin_after_blank_lines_and_a_byte_order_mark(before: str) -> None:
    assert read_sitemap(Kind.SITEMAP, before.encode() + URLSET, AT).pages == PAGES
    assert read_sitemap(Kind.FEED, before.encode() + URLSET, AT).pages == PAGES


@pytest.mark.parametrize(
    "encoding",
    ["gb2312", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "iso-8859-5", "windows-1251"],
)
def test_a_sitemap_is_read_in_the_encoding_that_it_declares(encoding: str) -> None:
    text = {"iso-8859-5": "ЖЗИ", "windows-1251": "ЖЗИ", "euc-kr": "한국"}.get(encoding, "中文")
    xml = (
        f'<?xml version="1.0" encoding="{encoding}"?><urlset><url><loc>/{text}</loc></url></urlset>'
    )
    assert read_sitemap(Kind.SITEMAP, xml.encode(encoding), AT).pages == (
        f"http://example.com/{text}",
    )


@pytest.mark.parametrize(
    "declared", ["klingon", "hex", "idna", "punycode", "undefined", "utf-7", "utf-16", "utf-32"]
)
def test_a_declaration_that_cannot_be_true_is_passed_over(declared: str) -> None:
    xml = URLSET.replace(b"?>", f' encoding="{declared}"?>'.encode(), 1)
    assert read_sitemap(Kind.SITEMAP, xml, AT).pages == PAGES


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_sitemap_may_be_of_any_unicode(encoding: str) -> None:
    assert read_sitemap(Kind.SITEMAP, URLSET.decode().encode(encoding), AT).pages == PAGES


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_so_may_a_sitemap_of_plain_text(encoding: str) -> None:
    assert read_sitemap(Kind.SITEMAP, "\n".join(PAGES).encode(encoding), AT).pages == PAGES


def test_of_plain_text_only_lines_that_are_urls_count() -> None:
    lines = (
        "# ours\r http://example.com/1\t\r\nsee http://example.com/x\n"
        "/2 \nHTTPS://example.com/3\n/a b"
    )
    pages = ("http://example.com/1", "http://example.com/2", "https://example.com/3")
    assert read_sitemap(Kind.SITEMAP, lines.encode(), AT) == Sitemap(pages)


@pytest.mark.parametrize(
    "body",
    [
        b"404 page not found",
        b'{"error": "/missing"}',
        b"# none",
        gzip.compress(gzip.compress(URLSET)),
    ],
    ids=["sentence", "JSON", "comment", "packed twice"],
)
def test_a_text_without_such_a_line_is_no_sitemap(body: bytes) -> None:
    with pytest.raises(SitemapError, match="no line is a URL"):
        read_sitemap(Kind.SITEMAP, body, AT)


@pytest.mark.parametrize("character", [" ", "a", "/", "\r", "\n", "\na", "\n/ "])
def test_lines_that_are_no_urls_are_passed_over_in_linear_time(character: str) -> None:
    body = character * (500_000 // len(character)) + "\nhttp://example.com/1"
    with bounded_time():
        assert "http://example.com/1" in read_sitemap(Kind.SITEMAP, body.encode(), AT).pages


@pytest.mark.parametrize(
    "before",
    ["\nWarning: no cache in /a.php\n\n", "<br />\n<b>Notice</b>: no cache<br />\n", "<!-- -->"],
)
@pytest.mark.parametrize("body", [URLSET, URLSET.partition(b"?>")[2]])
def test_xml_may_begin_after_the_warning_of_a_program(before: str, body: bytes) -> None:
    for kind in (Kind.SITEMAP, Kind.FEED):
        assert read_sitemap(kind, before.encode() + body, AT) == Sitemap(PAGES)


def test_rss_and_atom() -> None:
    rss = b"<rss><channel><link>/home</link><item><link>/1</link></item></channel></rss>"
    assert read_sitemap(Kind.FEED, rss, AT).pages == ("http://example.com/1",)
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="/home"/><entry>
    <link rel="edit" href="/edit"/><link href="/1"/></entry></feed>"""
    assert read_sitemap(Kind.FEED, atom, AT).pages == ("http://example.com/1",)


def test_an_item_without_a_link_has_the_page_that_its_guid_is() -> None:
    feed = b"""<rss><channel>
    <item><guid>http://example.com/1</guid></item>
    <item><guid>http://example.com/x</guid><link>/2</link></item>
    <item><link>/3</link><guid>http://example.com/x</guid></item>
    <item><link/><guid isPermaLink="true">http://example.com/4</guid></item>
    <item><guid isPermaLink="false">http://example.com/x</guid></item>
    <item><guid>tag:x</guid></item><item><guid>17</guid></item><item><title>x</title></item>
    </channel></rss>"""
    found = read_sitemap(Kind.FEED, feed, AT)
    assert found == Sitemap(tuple(f"http://example.com/{number}" for number in range(1, 5)))


def test_links_of_atom_are_relative_to_what_it_says() -> None:
    atom = b"""<feed xml:base="/p/"><entry><link href="1"/></entry>
    <entry xml:base="q/"><link href="2"/><link xml:base="../r/" href="3"/></entry>
    <entry xml:base="http://[/"><link href="/4"/></entry></feed>"""
    paths = ("p/1", "p/q/2", "p/r/3")
    pages = tuple(f"http://example.com/{path}" for path in paths)
    assert read_sitemap(Kind.FEED, atom, AT).pages[:3] == pages


def test_links_of_rss_are_relative_to_what_it_says() -> None:
    rss = b"""<rss xml:base="/p/"><channel><item><link>1</link></item>
    <item xml:base="q/"><link>2</link></item><item><link>/3</link></item></channel></rss>"""
    pages = tuple(f"http://example.com/{path}" for path in ("p/1", "p/q/2", "3"))
    assert read_sitemap(Kind.FEED, rss, AT).pages == pages


@pytest.mark.timeout(30)
def test_entries_keep_their_empty_segments() -> None:
    found = read_sitemap(Kind.SITEMAP, b"/b//c\n/d//e\n", "http://a.test/list//sitemap.txt")
    assert found.pages == ("http://a.test/b//c", "http://a.test/d//e")


def test_what_links_are_relative_to_is_bounded() -> None:
    long = b'<feed xml:base="/' + b"x/" * 1_000_000 + b'">'
    entries = b'<entry><link href="1"/></entry>' * 1_000
    assert read_sitemap(Kind.FEED, long + entries + b"</feed>", AT).pages == (
        "http://example.com/dir/1",
    )
    deep = b'<entry xml:base="y/">' * 900
    assert len(read_sitemap(Kind.FEED, deep + b'<link href="1"/>', AT).pages) == 1


def test_robots_txt_names_sitemaps() -> None:
    robots = b"User-agent: *\nDisallow: /\nSitemap: http://example.com/s.xml\n"
    assert read_sitemap(Kind.ROBOTS, robots, AT).sitemaps == ("http://example.com/s.xml",)
    marked = b"\xef\xbb\xbfSitemap: http://example.com/s.xml\n"
    assert read_sitemap(Kind.ROBOTS, marked, AT).sitemaps == ("http://example.com/s.xml",)


@pytest.mark.timeout(30)
def test_of_robots_txt_nothing_but_sitemaps_is_read_and_half_a_megabyte_at_most() -> None:
    agents = b"".join(b"User-agent: a%d\n" % number for number in range(12_000))
    rules = b"".join(b"Allow: /%d\n" % number for number in range(12_000))
    sitemap = b"Sitemap: http://example.com/%d.xml\n"
    robots = (agents + rules + sitemap % 1).ljust(512_000, b"\n") + sitemap % 2
    assert read_sitemap(Kind.ROBOTS, robots, AT).sitemaps == ("http://example.com/1.xml",)


def test_what_came_before_an_error_is_kept() -> None:
    found = read_sitemap(Kind.SITEMAP, URLSET[:-20], AT)
    assert found == Sitemap(PAGES[:1], problem="read up to line 2: unclosed token")


def sitemap(*urls: str) -> bytes:
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return f"<urlset>{entries}</urlset>".encode()


def test_an_ampersand_may_stand_for_itself() -> None:
    found = read_sitemap(Kind.SITEMAP, sitemap("/1", "/2?a=1&b=2&copy=3&", "/3&amp;&#228;"), AT)
    assert found == Sitemap(
        ("http://example.com/1", "http://example.com/2?a=1&b=2&copy=3&", "http://example.com/3&ä")
    )


def test_but_not_twice_where_all_do() -> None:
    feed = b"<rss><item><link><![CDATA[/1?a=1&b=2&amp;c]]></link></item><item><link>/2?a&b</link>"
    found = read_sitemap(Kind.FEED, feed + b"</item></rss>", AT)
    assert found.pages == ("http://example.com/1?a=1&b=2&amp;c", "http://example.com/2?a&b")
    assert not found.problem


def test_names_of_html_may_stand_in_xml() -> None:
    feed = """<rss><item><title>b&nbsp;c&hellip;&AMP;&LT;&nosuchname;</title><link>/&uuml;</link>
    </item></rss>"""
    assert read_sitemap(Kind.FEED, feed.encode(), AT) == Sitemap(("http://example.com/ü",))


@pytest.mark.parametrize("wrong", ["\x00", "\x0b", "\ufffe", "\uffff", "&#0;", "&#xb;", "&#xD800;"])
def test_a_character_that_xml_forbids_is_passed_over(wrong: str) -> None:
    assert read_sitemap(Kind.SITEMAP, sitemap("/1", f"/{wrong}2", "/3"), AT) == Sitemap(
        ("http://example.com/1", "http://example.com/2", "http://example.com/3")
    )


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "fault", ["&", "&#11;", "&nbsp;", "&#1", "\x0b", "\uffff", "<![CDATA[]]>", "<![CDATA["]
)
def test_faults_are_mended_in_linear_time(fault: str) -> None:
    body = sitemap("/1") + fault.encode() * (10_000_000 // len(fault.encode()))
    assert read_sitemap(Kind.SITEMAP, body, AT).pages == ("http://example.com/1",)


def test_more_faults_than_any_list_has_are_not_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_xml, "_MOST_REPAIRS", 3)
    assert read_sitemap(Kind.SITEMAP, sitemap("/1", "/2?&&&", "/3?&"), AT) == Sitemap(
        ("http://example.com/1", "http://example.com/2?&&&"),
        problem="read up to line 1: not well-formed (invalid token)",
    )


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><p>Not a feed<br>",
        b"\x1f\x8bbroken",
        b'<!DOCTYPE x [<!ENTITY a "a">]><urlset><url><loc>&a;</loc></url></urlset>',
    ],
)
def test_what_is_no_list_is_refused(body: bytes) -> None:
    with pytest.raises(SitemapError):
        read_sitemap(Kind.FEED, body, AT)


def test_elements_are_not_nested_without_end() -> None:
    tracemalloc.start()
    try:
        with pytest.raises(SitemapError, match="nested more than 1,000 deep"):
            read_sitemap(Kind.SITEMAP, gzip.compress(b"<urlset>" + b"<a>" * 200_000), AT)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


def test_a_bomb_is_unpacked_no_further_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemaps, "LARGEST", 100_000)
    cut = Sitemap(problem="only the first 100,000 bytes are used")
    assert read_sitemap(Kind.SITEMAP, gzip.compress(b" " * 10_000_000), AT) == cut
    assert read_sitemap(Kind.SITEMAP, gzip.compress(b" " * 10_000) * 11, AT) == cut


def test_of_a_gzip_file_that_is_too_large_the_beginning_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sitemaps, "LARGEST", 100_000)
    found = read_sitemap(Kind.SITEMAP, gzip.compress(URLSET[:-9] + b" " * 200_000), AT)
    assert found == Sitemap(PAGES, problem="only the first 100,000 bytes are used")


def test_a_sitemap_may_be_as_large_as_the_protocol_says() -> None:
    assert sitemaps.LARGEST == 50 * 1024 * 1024


def test_a_gzip_file_of_several_members_is_read_whole() -> None:
    members = gzip.compress(URLSET[:100]) + gzip.compress(b"") + gzip.compress(URLSET[100:])
    assert read_sitemap(Kind.SITEMAP, members, AT).pages == PAGES
    for after in (b"\0" * 512, b"\x1f\x8bbroken"):
        assert read_sitemap(Kind.SITEMAP, members + after, AT).pages == PAGES
    short = read_sitemap(Kind.SITEMAP, gzip.compress(URLSET)[:-8], AT)
    assert short == Sitemap(PAGES, problem="broken gzip: unexpected end")


@pytest.mark.timeout(30)
def test_many_members_are_unpacked_in_linear_time() -> None:
    assert read_sitemap(Kind.SITEMAP, gzip.compress(b"") * 100_000, AT) == Sitemap()


@pytest.mark.timeout(30)
def test_a_link_of_many_references_is_read_in_linear_time() -> None:
    amps = b"&amp;" * 500_000
    assert (
        read_sitemap(Kind.FEED, b"<rss><item><link>" + amps + b"</link></item></rss>", AT)
        == Sitemap()
    )


def test_entries_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap_xml, "MOST_ENTRIES", 10)
    body = (
        b"<urlset>" + b"".join(b"<url><loc>/%d</loc></url>" % n for n in range(50)) + b"</urlset>"
    )
    found = read_sitemap(Kind.SITEMAP, body, AT)
    assert len(found.pages) == 10
    assert found.problem == "only the first 10 entries are used"
    found = read_sitemap(Kind.SITEMAP, b"/a\n" * 10 + b"/b\n", AT)
    assert found.pages == ("http://example.com/a",)
    assert found.problem == "only the first 10 entries are used"


@given(st.binary(max_size=300), st.sampled_from(list(Kind)))
def test_nothing_but_list_error_is_raised(body: bytes, kind: Kind) -> None:
    with contextlib.suppress(SitemapError):
        read_sitemap(kind, body, AT)
