"""Pages of the demo site through the whole pipeline, with a real corpus and frontier.

Most tests read pages in their own process, because a worker takes seconds to load its models.
"""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self, cast

import orjson
import pytest
from corpus_samples import page as sample_page
from corpus_samples import plain_lines
from picture_classifier import Classifier
from scrapy.exceptions import DropItem
from scrapy.utils.test import get_crawler

from crawler.block_list import BlockList
from crawler.crawl import Crawl, register
from crawler.demo.site import Site
from crawler.exit_codes import CORPUS_FAILED
from crawler.frontier import Candidate, Policy, SqliteFrontier, Stats
from crawler.frontier.base import Lease
from crawler.frontier.lease_holder import LeaseHolder
from crawler.items import Document, Page, RejectedPage, document_id
from crawler.outcomes import Rejection
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.verification import verify
from pipelines.item_pipeline import CorpusPipeline
from pipelines.reading import crawl_reader, screenshots
from pipelines.reading.content import Content, ContentTask
from pipelines.reading.page_reader import PageReader, PageTask
from pipelines.reading.worker_process import Answer, Message, read
from settings import Job
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

ORIGIN = "http://127.0.0.1"
SITE = Site()
LIST = b"<title>List</title><ul>" + b"".join(
    b"<li><a href='part%d.html'>Part %d</a> of a long list of things to read</li>" % (n, n)
    for n in range(20)
)

# Each page is read once, by itself.
ALONE = {"site_memory": False}

Work = Callable[[CorpusPipeline, list[Page]], Coroutine[Any, Any, None]]


class Engine:
    """Scrapy's, as far as a pipeline uses it."""

    async def close_spider_async(self, *, reason: str) -> None:
        assert reason == CORPUS_FAILED


class OwnProcess:
    """Reads pages where the tests run, as the pool's workers do."""

    replaced = 0

    def __init__(self, genres: Genres, extraction: Extraction, *, size: int | None) -> None:
        self._reader = PageReader(genres, extraction)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def read(self, task: PageTask) -> Answer:
        [scan], [found] = self._told(task)
        return Answer(found, scan)

    async def read_again(self, task: ContentTask) -> Content | Rejection:
        _, [found] = self._told(task)
        return cast(Content | Rejection, found)

    def _told(self, task: PageTask | ContentTask) -> list[Any]:
        told: list[Message] = []
        read(self._reader, [task], told.append)
        return [message for message in told if isinstance(message, list)]


@pytest.fixture
def no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crawl_reader, "WorkerPool", OwnProcess)


def job(**tables: Any) -> Job:
    one = {"name": "x", "seeds": {"urls": [f"{ORIGIN}/"]}, "limits": {"processes": 1}}
    return Job.model_validate({**one, **tables})


def page(lease: Lease, **fields: Any) -> Page:
    resource = SITE.resource(lease.url.removeprefix(ORIGIN) or "/")
    assert resource is not None
    kind = (("content-type", resource.content_type),)
    charset = resource.content_type.partition("charset=")[2] or None
    return Page(
        lease, lease.url, 200, kind, resource.body, datetime.now(UTC), charset=charset, **fields
    )


def crawl(
    folder: Path, paths: list[str], work: Work | None = None, made: Job | None = None
) -> Stats:
    """Lease the paths, let the pages go their way; what the frontier says at the end."""
    scrapy_crawler = get_crawler()
    scrapy_crawler.engine = cast(Any, Engine())
    # As while it runs, until it is told to stop.
    scrapy_crawler.crawling = True

    async def run() -> Stats:
        policy = Policy(delay=0, visits_per_host=100)
        async with LeaseHolder(await SqliteFrontier.open(folder, policy)) as frontier:
            await frontier.add([Candidate(ORIGIN + path) for path in paths])
            leases = {lease.url: lease for lease in await frontier.lease(100)}
            pages = [page(leases[ORIGIN + path]) for path in paths if ORIGIN + path in leases]
            await frontier.fetched([*leases.values()])
            crawl = Crawl(made or job())
            crawl.folder, crawl._leases = folder, frontier
            register(scrapy_crawler, crawl)
            pipeline = CorpusPipeline.from_crawler(scrapy_crawler)
            await pipeline.open_spider()
            try:
                if work is None:
                    await asyncio.gather(*map(pipeline.process, pages))
                else:
                    await work(pipeline, pages)
            finally:
                await pipeline.close_spider()
            if crawl.failure is not None:
                raise crawl.failure
            return await frontier.frontier.stats()

    return asyncio.run(run())


def lines(folder: Path, kind: str) -> dict[str, Any]:
    """The lines of a kind by the paths that were asked for."""
    found = [
        orjson.loads(line)
        for shard in sorted((folder / "corpus" / kind).glob("*.zst"))
        for line in plain_lines(shard)
    ]
    return {line["metadata"]["requested_url"].removeprefix(ORIGIN): line for line in found}


def test_pages_become_documents_and_are_acknowledged(tmp_path: Path) -> None:
    paths = ["/articles/how-tides-work", "/zh/articles/tea", "/odd/short", "/articles/"]
    stats = crawl(tmp_path, paths)
    assert stats.outcomes == {"kept": 3, "rejected: too-short": 1}
    assert (stats.done, stats.leased) == (4, 0)
    assert verify(tmp_path / "corpus").exit_code == 0
    documents = lines(tmp_path, "documents")
    tides = documents["/articles/how-tides-work"]
    assert "The moon does pull on the sea" in tides["text"]
    found = tides["metadata"]
    assert (found["genre"], found["page_type"], found["language"]) == ("article", "article", "en")
    assert (found["title"], found["author"]) == ("Why the sea comes back twice a day", "Ines Varga")
    assert found["extractor"] == "boosted-blocks"
    assert 0 < found["extractor_confidence"] <= 1
    assert documents["/articles/"]["metadata"]["genre"] == "list-view"
    assert documents["/zh/articles/tea"]["metadata"]["language"] == "zh"
    rejected = lines(tmp_path, "rejects")["/odd/short"]
    assert rejected["text"]
    assert rejected["metadata"]["reject_reason"] == "too-short"


@pytest.mark.usefixtures("no_worker")
def test_nothing_is_acknowledged_before_it_is_on_the_disk(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        await pipeline.process(pages[0])
        frontier = pipeline._output._leases.frontier
        assert (await frontier.stats()).done == 0
        await pipeline._output.flush()
        assert (await frontier.stats()).done == 1

    crawl(tmp_path, ["/articles/how-tides-work"], work)


@pytest.mark.usefixtures("no_worker")
def test_a_page_that_leads_to_what_was_taken_down_is_not_kept(tmp_path: Path) -> None:
    taken_down = f"{ORIGIN}/taken-down"
    BlockList().add(tmp_path, [document_id(taken_down)], [])

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        pipeline._crawl.blocked = BlockList.read(tmp_path)
        with pytest.raises(DropItem, match="on the block list"):
            await pipeline.process_item(replace(pages[0], url=taken_down))

    assert crawl(tmp_path, ["/articles/how-tides-work"], work).outcomes == {"blocked": 1}
    assert lines(tmp_path, "documents") == lines(tmp_path, "rejects") == {}


@pytest.mark.usefixtures("no_worker")
def test_the_same_text_is_kept_once_also_by_the_next_run(tmp_path: Path) -> None:
    one, same = "/articles/a-railway-up-the-mountain", "/odd/same-text"
    assert crawl(tmp_path, [one]).outcomes == {"kept": 1}
    stats = crawl(tmp_path, [same])
    assert stats.outcomes == {"kept": 1, "rejected: duplicate": 1}


@pytest.mark.usefixtures("no_worker")
def test_a_job_names_what_it_wants(tmp_path: Path) -> None:
    wanted = job(filters={"languages": ["zh"], "min_words": 10})
    paths = ["/articles/how-tides-work", "/zh/articles/tea"]
    assert crawl(tmp_path, paths, made=wanted).outcomes == {"kept": 1, "rejected: language": 1}


@pytest.mark.usefixtures("no_worker")
def test_a_job_may_want_one_type_of_page(tmp_path: Path) -> None:
    wanted = job(filters={"page_types": ["forum"]})
    paths = ["/articles/how-tides-work", "/forum/t/rye-starter"]
    assert crawl(tmp_path, paths, made=wanted).outcomes == {"kept": 1, "rejected: page-type": 1}


@pytest.mark.usefixtures("no_worker")
def test_texts_of_rejects_can_be_left_out(tmp_path: Path) -> None:
    crawl(tmp_path, ["/odd/short"], made=job(outputs={"keep_rejects": False}))
    assert lines(tmp_path, "rejects")["/odd/short"]["text"] == ""


def test_the_job_may_say_how_many_processes_read(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        assert len(multiprocessing.active_children()) == 2
        await asyncio.gather(*map(pipeline.process, pages))

    paths = ["/articles/how-tides-work", "/zh/articles/tea"]
    assert crawl(tmp_path, paths, work, job(limits={"processes": 2})).outcomes == {"kept": 2}


@pytest.mark.usefixtures("no_worker")
def test_a_page_that_must_be_fetched_fast_may_be_read_slowly(tmp_path: Path) -> None:
    hasty = job(limits={"processes": 1, "page_time": "1ms"})
    assert crawl(tmp_path, ["/articles/how-tides-work"], made=hasty).outcomes == {"kept": 1}


@pytest.mark.usefixtures("no_worker")
def test_what_was_fetched_and_seen_is_kept_if_the_job_says_so(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        await pipeline.process(
            page(pages[0].lease, screenshot=b"a picture", rendered_html="<p>" + "word " * 60)
        )

    crawl(
        tmp_path,
        ["/odd/script"],
        work,
        job(outputs={"warc": True, "screenshots": True}),
    )
    (line,) = lines(tmp_path, "documents").values()
    assert line["text"].startswith("word word")
    assert line["metadata"]["rendered"] is True
    kept = tmp_path / "corpus" / line["metadata"]["screenshot"]
    assert kept.read_bytes() == b"a picture"
    (warc,) = (tmp_path / "corpus" / "warc").iterdir()
    assert warc.name == "worker-1-000000.warc.gz"


@pytest.mark.usefixtures("no_worker")
def test_a_page_is_not_lost_over_the_name_of_a_header(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        await pipeline.process(replace(pages[0], headers=(("x-café", "1"), *pages[0].headers)))

    stats = crawl(tmp_path, ["/articles/how-tides-work"], work, job(outputs={"warc": True}))
    assert stats.outcomes == {"kept": 1}


@pytest.mark.usefixtures("no_worker")
def test_a_page_rejected_by_the_spider_is_among_the_rejects(tmp_path: Path) -> None:
    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        await pipeline.process(RejectedPage(pages[0], Rejection("soft-error", "says: not found")))

    stats = crawl(tmp_path, ["/odd/soft-404"], work)
    assert stats.outcomes == {"rejected: soft-error": 1}
    found = lines(tmp_path, "rejects")["/odd/soft-404"]["metadata"]
    assert found["reject_detail"] == "says: not found"


@pytest.mark.usefixtures("no_worker")
def test_an_error_in_one_page_is_its_rejection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: object, document: Document) -> None:
        if document.language == "en":
            raise ZeroDivisionError("of a filter")

    monkeypatch.setattr("pipelines.filters.minimum_length.MinimumLength.judge", broken)
    stats = crawl(tmp_path, ["/articles/how-tides-work", "/zh/articles/tea"])
    assert stats.outcomes == {"kept": 1, "rejected: error": 1}
    assert "of a filter" in caplog.text


@pytest.mark.usefixtures("no_worker")
def test_a_disk_that_takes_nothing_is_an_error_and_acknowledges_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: object, lines: object) -> None:
        raise CorpusError("no room")

    monkeypatch.setattr("pipelines.corpus.shards.ShardSeries.append", full)

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        await pipeline.process(pages[0])
        with pytest.raises(CorpusError, match="no room"):
            await pipeline._output.flush()
        with pytest.raises(CorpusError, match="no room"):
            await pipeline.process(pages[1])
        assert (await pipeline._output._leases.frontier.stats()).done == 0

    with pytest.raises(CorpusError, match="no room"):
        crawl(tmp_path, ["/articles/how-tides-work", "/zh/articles/tea"], work)


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
    assert (static.html, static.charset) == (b"<p>static", "latin-1")
    rendered = PageTask.of(sample_page(charset="latin-1", rendered_html="<p>rendered"))
    assert (rendered.html, rendered.charset) == ("<p>rendered", None)


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
