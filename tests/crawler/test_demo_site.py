"""The demo site is whole, says what it is, and is odd only where ``expected.json`` says so."""

from __future__ import annotations

import gzip
import http.client
import itertools
import re
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import pytest
from demo_visits import QUICK, connect, fetch
from selectolax.lexbor import LexborHTMLParser

from crawler.demo import DemoSite
from crawler.demo.expectations import Expectation, expectations
from crawler.demo.oddities import BOMB_BYTES, LARGE_BYTES
from crawler.demo.pages import PageError, read_page, read_pages
from crawler.demo.site import Site

EXPECTED = expectations()
SERVED = {url: entry for url, entry in EXPECTED.items() if url.startswith("/")}
DOCUMENTS = {url: entry for url, entry in SERVED.items() if entry.outcome == "document"}
# Pages that can be read as they are declared, and without a browser.
STATIC_DOCUMENTS = {
    url: entry
    for url, entry in DOCUMENTS.items()
    if not entry.needs_rendering and url != "/odd/encoding"
}


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    with DemoSite(timings=QUICK) as running:
        yield running


def text_of(page: LexborHTMLParser, selector: str = "body") -> str:
    for element in page.css("script, style"):
        element.decompose()
    return " ".join(" ".join(node.text() for node in page.css(selector)).split())


# What the expectations promise


@pytest.mark.parametrize("entry", SERVED.values(), ids=SERVED.keys())
def test_every_url_answers_as_expected(site: DemoSite, entry: Expectation) -> None:
    if entry.status is None:
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            fetch(site, entry.url)
        return
    answer = fetch(site, entry.url)
    assert answer.status == entry.status
    if entry.outcome == "document" and answer.status == 200:
        assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("entry", STATIC_DOCUMENTS.values(), ids=STATIC_DOCUMENTS.keys())
def test_a_document_holds_its_sentences_and_its_boilerplate(
    site: DemoSite, entry: Expectation
) -> None:
    answer = fetch(site, entry.url)
    if answer.status == 429:
        answer = fetch(site, entry.url)
    page = answer.html()
    words = text_of(page)
    assert len(entry.must) >= 2
    assert [sentence for sentence in entry.must if sentence not in words] == []
    assert [sentence for sentence in entry.must_not if sentence not in words] == []
    assert page.css_first("html").attributes["lang"] == entry.language
    assert page.css_first("title").text()
    assert len(page.css("h1")) == 1


def test_sentences_to_keep_and_to_drop_do_not_overlap() -> None:
    for entry in DOCUMENTS.values():
        pairs = itertools.product(entry.must, entry.must_not)
        assert not any(keep in drop or drop in keep for keep, drop in pairs)


def test_every_page_has_an_expectation() -> None:
    assert [path for path in Site().pages if path not in EXPECTED] == []


def test_the_site_has_every_kind_of_page_in_four_languages() -> None:
    assert len(STATIC_DOCUMENTS) >= 40
    assert {entry.page_type for entry in DOCUMENTS.values()} == {
        "article",
        "documentation",
        "product",
        "service",
        "forum",
        "collection",
        "listing",
        "media",
        "other",
    }
    assert {entry.language for entry in DOCUMENTS.values()} == {"en", "es", "ru", "zh"}


def test_an_expectation_of_an_unknown_kind_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="reason 'bored' must be one of"):
        Expectation(url="/x", outcome="failed", reason="bored")


# Links, feeds, files


def linked(site: DemoSite) -> dict[str, set[str]]:
    """Internal targets, as paths, with the pages that link to them."""
    found: dict[str, set[str]] = {}
    for path in [*Site().pages, "/calendar/2026/05"]:
        answer = fetch(site, path)
        if answer.status == 429:
            answer = fetch(site, path)
        page = answer.html()
        base = page.css_first("base")
        start = urljoin(site.base + path, base.attributes["href"] if base else path)
        for element in page.css("a[href], link[href], img[src], script[src], form[action]"):
            named = {"href", "src", "action"} & set(element.attributes)
            place = element.attributes[named.pop()] or ""
            target = urldefrag(urljoin(start, place)).url
            if target.startswith(site.base):
                found.setdefault(target.removeprefix(site.base), set()).add(path)
    return found


def test_every_internal_link_leads_somewhere_known(site: DemoSite) -> None:
    for target, pages in linked(site).items():
        if target in EXPECTED or target.startswith("/calendar/"):
            continue
        answer = fetch(site, target)
        assert answer.status == 200, (target, pages)
        assert target.startswith(("/static/", "/pictures/")), (target, pages)
        assert answer.body, (target, pages)


def test_every_document_is_linked_or_in_a_sitemap(site: DemoSite) -> None:
    known = set(linked(site)) | set(in_sitemaps(site)) | {"/"}
    assert [url for url in DOCUMENTS if url not in known] == []


def in_sitemaps(site: DemoSite) -> list[str]:
    index = fetch(site, "/sitemap.xml").body.decode()
    places = []
    for place in re.findall(r"<loc>(.*?)</loc>", index):
        body = fetch(site, place.removeprefix(site.base)).body
        text = (gzip.decompress(body) if place.endswith(".gz") else body).decode()
        places += re.findall(r"<loc>(.*?)</loc>", text)
    assert all(place.startswith(site.base) for place in places)
    return [place.removeprefix(site.base) for place in places]


def test_sitemaps_and_feed_list_documents_only(site: DemoSite) -> None:
    assert set(in_sitemaps(site)) <= set(DOCUMENTS)
    feed = fetch(site, "/feed.xml").body.decode()
    items = re.findall(r"<item>.*?<link>(.*?)</link>", feed)
    assert len(items) == 10
    assert {item.removeprefix(site.base) for item in items} <= set(DOCUMENTS)


def test_robots_names_a_private_place_a_delay_and_the_sitemap(site: DemoSite) -> None:
    lines = fetch(site, "/robots.txt").body.decode().splitlines()
    assert lines[:3] == ["User-agent: *", "Disallow: /private/", "Crawl-delay: 0.1"]
    assert f"Sitemap: {site.base}/sitemap.xml" in lines


def test_files_are_pdf_whatever_their_names(site: DemoSite) -> None:
    for path in ("/files/harbour-map.pdf", "/files/almanac"):
        answer = fetch(site, path)
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.body.startswith(b"%PDF-1.4")
        assert answer.body.endswith(b"%%EOF\n")


def test_pictures_are_what_they_say_and_small(site: DemoSite) -> None:
    pictures = [path for path in linked(site) if path.startswith("/pictures/")]
    for path in pictures:
        body = fetch(site, path).body
        assert len(body) < 200_000
        assert body.startswith(b"\x89PNG" if path.endswith(".png") else b"<svg")
    assert len(pictures) > 40


def test_a_query_that_no_page_knows_shows_the_page(site: DemoSite) -> None:
    plain = fetch(site, "/articles/fog-signals")
    assert fetch(site, "/articles/fog-signals?utm_source=x").body == plain.body
    assert fetch(site, "/articles/?page=2").body != fetch(site, "/articles/").body


def test_a_head_request_gets_headers_only(site: DemoSite) -> None:
    answer = fetch(site, "/articles/fog-signals", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert fetch(site, "/odd/large", "HEAD").headers["content-length"] == str(LARGE_BYTES)


# The odd corners


def test_a_chain_of_redirects_ends_at_a_page(site: DemoSite) -> None:
    path, seen = "/odd/redirect/1", []
    while (answer := fetch(site, path)).status != 200:
        seen.append(answer.status)
        path = answer.headers["location"]
    assert (seen, path) == ([301, 302, 308], EXPECTED["/odd/redirect/1"].to)


def test_a_loop_comes_back_to_itself(site: DemoSite) -> None:
    there = fetch(site, "/odd/loop/a").headers["location"]
    assert fetch(site, there).headers["location"] == "/odd/loop/a"


def test_a_redirect_leads_to_a_private_address(site: DemoSite) -> None:
    place = fetch(site, "/odd/redirect-private").headers["location"]
    assert place == "http://169.254.169.254/latest/meta-data/"


def test_the_throttled_page_asks_for_a_second_and_then_lets_in() -> None:
    with DemoSite(timings=QUICK) as fresh:
        first = fetch(fresh, "/odd/throttled")
        assert (first.status, first.headers["retry-after"]) == (429, "1")
        assert fetch(fresh, "/odd/throttled").status == 200


def test_the_slow_page_is_slow(site: DemoSite) -> None:
    started = time.monotonic()
    assert fetch(site, "/odd/slow").status == 200
    assert time.monotonic() - started >= QUICK.slow


def test_the_script_page_is_empty_until_its_script_has_run(site: DemoSite) -> None:
    entry = EXPECTED["/odd/script"]
    words = text_of(fetch(site, "/odd/script").html())
    assert not any(sentence in words for sentence in entry.must)
    fetched = text_of(fetch(site, "/odd/script-text").html())
    assert all(sentence in fetched for sentence in entry.must)


def test_a_wrongly_declared_page_is_unreadable_as_declared(site: DemoSite) -> None:
    answer = fetch(site, "/odd/encoding")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "\ufffd" in answer.html().text()
    words = text_of(LexborHTMLParser(answer.body.decode("windows-1251")))
    expected = EXPECTED["/odd/encoding"]
    assert all(sentence in words for sentence in expected.must + expected.must_not)


@pytest.mark.parametrize("path", ["/odd/large", "/odd/large-chunked"])
def test_the_large_page_has_thirty_megabytes(site: DemoSite, path: str) -> None:
    connection = connect(site)
    connection.request("GET", path)
    answer = connection.getresponse()
    size = sum(len(chunk) for chunk in iter(lambda: answer.read(1 << 20), b""))
    connection.close()
    assert size == LARGE_BYTES


def test_the_bomb_is_small_on_the_wire_and_a_valid_gzip_file(site: DemoSite) -> None:
    connection = connect(site)
    connection.request("GET", "/odd/bomb")
    answer = connection.getresponse()
    assert answer.getheader("Content-Encoding") == "gzip"
    packed = answer.read()
    connection.close()
    assert len(packed) < BOMB_BYTES / 500
    unpacker, size = zlib.decompressobj(zlib.MAX_WBITS | 16), 0
    while not unpacker.eof:
        piece = unpacker.decompress(packed, 1 << 22)
        packed = unpacker.unconsumed_tail
        size += len(piece)
    assert size > BOMB_BYTES  # eof: the checksum and the length at the end were right


@pytest.mark.parametrize("path", ["/odd/endless", "/odd/stalled"])
def test_a_page_without_end_ends_when_the_client_goes(path: str) -> None:
    with DemoSite(timings=QUICK) as fresh:
        quiet = threading.active_count()
        connection = connect(fresh)
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.read(10).startswith(b"<!doctype")
        assert threading.active_count() == quiet + 1
        answer.close()
        connection.close()
        until = time.monotonic() + 10
        while threading.active_count() > quiet and time.monotonic() < until:
            time.sleep(0.02)
        assert threading.active_count() == quiet


def test_nofollow_base_refresh_and_canonical_are_said_in_html(site: DemoSite) -> None:
    assert fetch(site, "/odd/nofollow").html().css_matches('a[rel~="nofollow"]')
    assert fetch(site, "/odd/nofollow-meta").html().css_matches('meta[content="nofollow"]')
    assert fetch(site, "/odd/base").html().css_matches('base[href="/articles/"]')
    assert fetch(site, "/odd/meta-refresh").html().css_matches('meta[http-equiv="refresh"]')
    copy = fetch(site, "/articles/how-tides-work/print").html()
    assert copy.css_first('link[rel="canonical"]').attributes["href"] == (
        f"{site.base}/articles/how-tides-work"
    )


@pytest.mark.parametrize("path", ["/articles/how-tides-work/print", "/odd/same-text"])
def test_a_duplicate_has_the_same_story(site: DemoSite, path: str) -> None:
    original = fetch(site, EXPECTED[path].same_as).html()
    assert text_of(fetch(site, path).html(), ".story") == text_of(original, ".story")


def test_the_calendar_goes_on_and_goes_round(site: DemoSite) -> None:
    path = "/calendar/9999/12"
    page = fetch(site, path).html()
    places = [link.attributes["href"] for link in page.css(".plain a")]
    assert places == ["/calendar/9999/11", "/calendar/1000/01", "/calendar/1000/12"]
    assert all(fetch(site, place).status == 200 for place in places)
    assert fetch(site, "/calendar/2026/13").status == 404


# The sources


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("no front matter", "must begin with TOML"),
        ("+++\npath = \n+++\n", "Invalid value"),
        ('+++\npath = "/x"\n+++\n', "missing 3 required"),
    ],
)
def test_a_page_that_cannot_be_read_is_named(tmp_path: Path, source: str, complaint: str) -> None:
    file = tmp_path / "wrong.md"
    file.write_text(source, encoding="utf-8")
    with pytest.raises(PageError, match=r"wrong\.md.*" + complaint):
        read_page(file)


def test_two_pages_cannot_share_a_path(tmp_path: Path) -> None:
    source = '+++\npath = "/x"\nlayout = "plain"\ntitle = "X"\nsummary = "x"\n+++\n'
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(source, encoding="utf-8")
    with pytest.raises(PageError, match="two pages have the path '/x'"):
        read_pages(tmp_path)
