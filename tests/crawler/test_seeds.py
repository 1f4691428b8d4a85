"""Where a crawl starts: sitemaps, feeds, files."""

from __future__ import annotations

import contextlib
import gzip
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
    text = b"\xef\xbb\xbfhttp://example.com/1\r\n\r\nhttp://example.com/2\n"
    assert "http://example.com/2" in listed(Kind.SITEMAP, text, AT).pages


def test_rss_and_atom() -> None:
    rss = b"<rss><channel><link>/home</link><item><link>/1</link></item></channel></rss>"
    assert listed(Kind.FEED, rss, AT).pages == ("http://example.com/1",)
    atom = b"""<feed xmlns="http://www.w3.org/2005/Atom"><link href="/home"/><entry>
    <link rel="edit" href="/edit"/><link href="/1"/></entry></feed>"""
    assert listed(Kind.FEED, atom, AT).pages == ("http://example.com/1",)


def test_robots_txt_names_sitemaps() -> None:
    robots = b"User-agent: *\nDisallow: /\nSitemap: http://example.com/s.xml\n"
    assert listed(Kind.ROBOTS, robots, AT).sitemaps == ("http://example.com/s.xml",)


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
