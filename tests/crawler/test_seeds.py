"""Where a crawl starts: sitemaps, feeds, files."""

from __future__ import annotations

import contextlib
import gzip
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler import seeds as module
from crawler.notes import Kind, Note
from crawler.seeds import Listed, SeedError, listed, seed_hosts, seeds
from settings.tables.seeds import Seeds

AT = "http://example.com/dir/list.xml"
URLSET = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> http://example.com/a?x=1&amp;y=2 </loc></url><url><loc>/b</loc></url></urlset>"""
PAGES = ("http://example.com/a?x=1&y=2", "http://example.com/b")


def test_sitemap_gzipped_or_not() -> None:
    assert listed(Kind.SITEMAP, URLSET, AT).pages == PAGES
    assert listed(Kind.SITEMAP, gzip.compress(URLSET), AT).pages == PAGES


def test_sitemap_index_and_text_sitemap() -> None:
    index = b"""<x:sitemapindex xmlns:x='u'><x:sitemap><x:loc>/s1.xml</x:loc></x:sitemap>
    </x:sitemapindex>"""
    assert listed(Kind.SITEMAP, index, AT) == Listed(sitemaps=("http://example.com/s1.xml",))
    text = b"http://example.com/1\r\n\r\nhttp://example.com/2\n"
    pages = ("http://example.com/1", "http://example.com/2")
    assert listed(Kind.SITEMAP, text, AT).pages == pages


@pytest.mark.parametrize("before", ["\n", "  \r\n", "\ufeff", "\ufeff\n"])
def test_xml_may_begin_after_blank_lines_and_a_byte_order_mark(before: str) -> None:
    assert listed(Kind.SITEMAP, before.encode() + URLSET, AT).pages == PAGES
    assert listed(Kind.FEED, before.encode() + URLSET, AT).pages == PAGES


@pytest.mark.parametrize(
    "encoding",
    ["gb2312", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "iso-8859-5", "windows-1251"],
)
def test_a_sitemap_is_read_in_the_encoding_that_it_declares(encoding: str) -> None:
    text = {"iso-8859-5": "ЖЗИ", "windows-1251": "ЖЗИ", "euc-kr": "한국"}.get(encoding, "中文")
    xml = (
        f'<?xml version="1.0" encoding="{encoding}"?><urlset><url><loc>/{text}</loc></url></urlset>'
    )
    assert listed(Kind.SITEMAP, xml.encode(encoding), AT).pages == (f"http://example.com/{text}",)


@pytest.mark.parametrize(
    "declared", ["klingon", "hex", "idna", "punycode", "undefined", "utf-7", "utf-16", "utf-32"]
)
def test_a_declaration_that_cannot_be_true_is_passed_over(declared: str) -> None:
    xml = URLSET.replace(b"?>", f' encoding="{declared}"?>'.encode(), 1)
    assert listed(Kind.SITEMAP, xml, AT).pages == PAGES


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_sitemap_may_be_of_any_unicode(encoding: str) -> None:
    assert listed(Kind.SITEMAP, URLSET.decode().encode(encoding), AT).pages == PAGES


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_so_may_a_sitemap_of_plain_text(encoding: str) -> None:
    assert listed(Kind.SITEMAP, "\n".join(PAGES).encode(encoding), AT).pages == PAGES


def test_rss_and_atom() -> None:
    rss = b"<rss><channel><link>/home</link><item><link>/1</link></item></channel></rss>"
    assert listed(Kind.FEED, rss, AT).pages == ("http://example.com/1",)
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="/home"/><entry>
    <link rel="edit" href="/edit"/><link href="/1"/></entry></feed>"""
    assert listed(Kind.FEED, atom, AT).pages == ("http://example.com/1",)


def test_robots_txt_names_sitemaps() -> None:
    robots = b"User-agent: *\nDisallow: /\nSitemap: http://example.com/s.xml\n"
    assert listed(Kind.ROBOTS, robots, AT).sitemaps == ("http://example.com/s.xml",)
    marked = b"\xef\xbb\xbfSitemap: http://example.com/s.xml\n"
    assert listed(Kind.ROBOTS, marked, AT).sitemaps == ("http://example.com/s.xml",)


def test_what_came_before_an_error_is_kept() -> None:
    assert listed(Kind.SITEMAP, URLSET[:-20], AT).pages[:1] == PAGES[:1]


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><p>Not a feed<br>",
        b"\x1f\x8bbroken",
        b'<!DOCTYPE x [<!ENTITY a "a">]><urlset><url><loc>&a;</loc></url></urlset>',
    ],
)
def test_what_is_no_list_is_refused(body: bytes) -> None:
    with pytest.raises(SeedError):
        listed(Kind.FEED, body, AT)


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 100_000)
    with pytest.raises(SeedError, match="more than"):
        listed(Kind.SITEMAP, gzip.compress(b" " * 10_000_000), AT)


def test_a_gzip_file_of_several_members_is_read_whole() -> None:
    members = gzip.compress(URLSET[:100]) + gzip.compress(b"") + gzip.compress(URLSET[100:])
    assert listed(Kind.SITEMAP, members, AT).pages == PAGES
    for after in (b"\0" * 512, b"\x1f\x8bbroken"):
        assert listed(Kind.SITEMAP, members + after, AT).pages == PAGES
    assert listed(Kind.SITEMAP, gzip.compress(URLSET)[:-8], AT).pages == PAGES


def test_a_bomb_may_not_hide_in_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 100_000)
    with pytest.raises(SeedError, match="more than 100,000 bytes"):
        listed(Kind.SITEMAP, gzip.compress(b" " * 10_000) * 11, AT)


@pytest.mark.timeout(30)
def test_many_members_are_unpacked_in_linear_time() -> None:
    assert listed(Kind.SITEMAP, gzip.compress(b"") * 100_000, AT) == Listed()


@pytest.mark.timeout(30)
def test_a_link_of_many_references_is_read_in_linear_time() -> None:
    amps = b"&amp;" * 500_000
    assert listed(Kind.FEED, b"<rss><item><link>" + amps + b"</link></item></rss>", AT) == Listed()


def test_entries_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ENTRIES", 10)
    body = (
        b"<urlset>" + b"".join(b"<url><loc>/%d</loc></url>" % n for n in range(50)) + b"</urlset>"
    )
    assert len(listed(Kind.SITEMAP, body, AT).pages) == 10


@given(st.binary(max_size=300), st.sampled_from(list(Kind)))
def test_nothing_but_seed_error_is_raised(body: bytes, kind: Kind) -> None:
    with contextlib.suppress(SeedError):
        listed(kind, body, AT)


def test_seeds_of_a_job(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("# mine\n\nhttp://b.example/ a comment\nno url\n")
    table = Seeds.model_validate(
        {
            "urls": ["http://a.example/"],
            "files": [str(file)],
            "sitemaps": ["http://c.example:81/s.xml"],
            "feeds": ["http://d.example/f"],
            "robots_sitemaps": True,
        },
        context={"folder": tmp_path},
    )
    found = {seed.url: Note.read(seed.note).kind for seed in seeds(table)}
    assert found["http://a.example/"] is found["http://b.example/"] is Kind.PAGE
    assert found["http://c.example:81/s.xml"] is Kind.SITEMAP
    assert found["http://c.example:81/robots.txt"] is Kind.ROBOTS
    assert found["http://d.example/f"] is Kind.FEED
    assert seed_hosts(table) == {"a.example", "b.example", "c.example", "d.example"}


def test_lines_that_are_no_url_are_told_of_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("example.com\nhttp://a.example/\n" + "other\n" * 9)
    table = Seeds(files=(file,))
    with caplog.at_level(logging.WARNING):
        assert seed_hosts(table) == {"a.example"}
    assert caplog.messages[0] == (
        f'{file}:1: "example.com" must be a whole URL; write "https://example.com"'
    )
    assert caplog.messages[4].startswith(f'{file}:6: "other" must be')
    assert caplog.messages[5:] == ["5 more lines of seeds.files are no URL to begin with"]
    assert [seed.url for seed in seeds(table)] == ["http://a.example/"]


def test_files_of_urls_are_read_as_a_stream(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("http://a.example/\n")
    found = seeds(Seeds.model_construct(files=(file, tmp_path / "is-not-there.txt")))
    assert next(found).url == "http://a.example/"


def test_a_note_is_never_too_long_for_the_frontier() -> None:
    note = Note()
    for number in range(20):
        note = note.redirected(f"http://example.com/{number}/" + "x" * 3000)
        assert len(note.text()) <= 8192
    assert Note.read(note.text()).redirects == 20
    assert Note.read(note.text()).via[-1].startswith("http://example.com/19/")


@pytest.mark.parametrize("text", ["{", "[]", '{"kind":"other"}', '{"level":"x"}'])
def test_a_note_of_somebody_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not the note"):
        Note.read(text)
