"""How a page is read on its way to a document: from what, by what, and how often."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from corpus_samples import page as sample_page
from document_crawl import ALONE, ORIGIN, crawl, job, page
from picture_classifier import Classifier

from crawler.html import Html
from crawler.items import Page
from pipelines.item_pipeline import CorpusPipeline
from pipelines.reading import screenshots
from pipelines.reading.page_reader import PageTask

pytestmark = pytest.mark.usefixtures("forked_workers")
LIST = b"<title>List</title><ul>" + b"".join(
    b"<li><a href='part%d.html'>Part %d</a> of a long list of things to read</li>" % (n, n)
    for n in range(20)
)


@pytest.mark.usefixtures("no_worker")
def test_where_html_leaves_doubt_the_screenshot_makes_the_genre_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    classifier = Classifier()
    monkeypatch.setattr(screenshots, "shipped", lambda: classifier)

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        seen = page(pages[0].lease, screenshot=b"list-view", rendered_html="<p>" + "word " * 60)
        document, _ = await pipeline.process(seen)
        assert document.genre == "list-view"
        await pipeline.process(replace(seen, screenshot=b"broken"))
        assert pipeline._reader.unclassified == 1
        sure = replace(
            page(pages[1].lease, screenshot=b"list-view"), rendered_html=pages[1].html.decode()
        )
        document, _ = await pipeline.process(sure)
        assert document.genre == "article"
        assert classifier.batches == [1, 1]

    rendering = job(rendering={"mode": "always"}, extraction=ALONE)
    crawl(tmp_path, ["/odd/script", "/articles/how-tides-work"], work, rendering)
    assert classifier.closed


def test_the_rendered_html_is_read_if_there_is_one() -> None:
    static = PageTask.of(sample_page(html=b"<p>static", charset="latin-1"))
    assert static.html == Html(b"<p>static", "latin-1")
    rendered = PageTask.of(sample_page(charset="latin-1", rendered_html="<p>rendered"))
    assert rendered.html == Html("<p>rendered", is_rendered=True)


def test_a_page_is_looked_at_where_it_is_read(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        found = await pipeline.read(pages[0])
        links = [link.url for link in found.scan.links.links]
        assert f"{ORIGIN}/articles/" in links
        assert found.scan.empty is None
        document, rejection = await pipeline.process(found.page)
        assert rejection is None
        assert "The moon does pull on the sea" in document.text

    stats = crawl(tmp_path, ["/articles/how-tides-work"], work, job(extraction=ALONE))
    assert stats.outcomes == {"kept": 1}


@pytest.mark.usefixtures("no_worker")
@pytest.mark.parametrize(
    ("duplicates", "outcomes"),
    [("drop", {"kept": 1, "rejected: duplicate": 1}), ("keep", {"kept": 2})],
)
def test_a_page_served_twice_is_looked_at_twice_and_read_once(
    tmp_path: Path, duplicates: str, outcomes: dict[str, int]
) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        html = pages[0].html.replace(b'href="/articles/', b'href="')
        first, other = (replace(one, html=html) for one in pages)
        await pipeline.process((await pipeline.read(first)).page)
        found = await pipeline.read(replace(other, url=f"{ORIGIN}/copies/"))
        links = [link.url for link in found.scan.links.links]
        assert f"{ORIGIN}/copies/how-tides-work" in links
        document, _ = await pipeline.process(found.page)
        assert (document.text == "") == (duplicates == "drop")

    paths = ["/articles/", "/odd/same-text"]
    made = job(filters={"duplicates": duplicates}, extraction=ALONE)
    assert crawl(tmp_path, paths, work, made).outcomes == outcomes


@pytest.mark.usefixtures("no_worker")
@pytest.mark.parametrize(
    ("tables", "outcome"),
    [
        ({}, "rejected: duplicate"),
        ({"extraction": {"format": "markdown"}}, "rejected: duplicate"),
        ({"extraction": {"format": "markdown", "links": True}}, "kept"),
        ({"extraction": {"format": "html", "links": True}}, "kept"),
    ],
)
def test_pages_of_the_same_bytes_are_read_where_texts_hold_urls(
    tmp_path: Path, tables: dict[str, Any], outcome: str
) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        for path, one in zip("ab", pages, strict=True):
            await pipeline.process(replace(one, html=LIST, url=f"{ORIGIN}/{path}/"))

    made = job(filters={"min_words": 5}, **tables)
    stats = crawl(tmp_path, ["/articles/", "/odd/same-text"], work, made)
    assert stats.outcomes == Counter(["kept", outcome])


@pytest.mark.usefixtures("no_worker")
def test_what_is_rejected_is_nobodys_original(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        for one in pages:
            await pipeline.process(replace(one, html=b"<p>Too few words."))

    stats = crawl(tmp_path, ["/articles/", "/odd/same-text"], work)
    assert stats.outcomes == {"rejected: too-short": 2}


def test_a_page_beyond_reading_is_none_for_the_crawl_either(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        found = await pipeline.read(replace(pages[0], html=b"<p>" * 3_000_000))
        assert found.scan.empty is not None
        assert found.scan.empty.reason == "unreadable"
        _, rejection = await pipeline.process(found.page)
        assert rejection is not None
        assert rejection.reason == "unreadable"

    crawl(tmp_path, ["/articles/how-tides-work"], work)
