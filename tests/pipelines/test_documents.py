"""Pages of the demo site through the whole pipeline, with a real corpus and frontier.

Most tests read pages in their own process, because a worker takes seconds to load its models.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from document_crawl import ALONE, ORIGIN, crawl, job, lines, page, scrapy_crawler
from scrapy.exceptions import DropItem

from crawler.crawl.crawl import crawl_of
from crawler.discovery.block_list import BlockList
from crawler.items import Document, Page, RejectedPage, document_id
from crawler.outcomes import Rejection
from crawler.rendering import NoBrowserError
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import Layout
from pipelines.corpus.verification import verify
from pipelines.item_pipeline import CorpusPipeline
from pipelines.reporting.counts import totals

pytestmark = pytest.mark.usefixtures("forked_workers")


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corpus takes no line."""

    def full(self: object, lines: object) -> None:
        raise CorpusError("no room")

    monkeypatch.setattr("pipelines.corpus.shards.ShardSeries.append", full)


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
    crawler = scrapy_crawler()

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        await pipeline.process(pages[0])
        assert (await crawl_of(crawler).frontier.stats()).done == 0

    assert crawl(tmp_path, ["/articles/how-tides-work"], work, crawler=crawler).done == 1


@pytest.mark.usefixtures("no_worker")
def test_a_page_that_leads_to_what_was_taken_down_is_not_kept(tmp_path: Path) -> None:
    taken_down = f"{ORIGIN}/taken-down"
    BlockList.add(tmp_path, [document_id(taken_down)], [])

    crawler = scrapy_crawler()

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        crawl_of(crawler).blocked = BlockList.read(tmp_path)
        with pytest.raises(DropItem, match="on the block list"):
            await pipeline.process_item(replace(pages[0], url=taken_down))

    stats = crawl(tmp_path, ["/articles/how-tides-work"], work, crawler=crawler)
    assert stats.outcomes == {"blocked": 1}
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


def test_workers_are_started_only_if_a_page_is_due_or_waits_for_its_site(tmp_path: Path) -> None:
    crawler, started = scrapy_crawler(), []

    async def stop(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        assert await pipeline.process(pages[0]) is None
        crawler.crawling = False

    async def look(*_: object) -> None:
        started.append(len(multiprocessing.active_children()))

    stopped = crawl(tmp_path, ["/articles/how-tides-work"], stop, crawler=crawler)
    assert stopped.outcomes == {"held": 1}
    for _ in range(2):
        assert crawl(tmp_path, [], look).outcomes == {"kept": 1}
    assert started == [1, 0]


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
def test_a_page_that_can_neither_be_kept_nor_rejected_is_left_to_the_spider(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: object, *_: object) -> None:
        raise ZeroDivisionError("of the output")

    for method in ("take", "reject"):
        monkeypatch.setattr(f"pipelines.corpus_output.CorpusOutput.{method}", broken)
    crawler = scrapy_crawler()

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        with pytest.raises(ZeroDivisionError):
            await pipeline.process_item(pages[0])
        assert crawl_of(crawler).leases.is_idle(pages[0].lease)

    crawl(tmp_path, ["/articles/how-tides-work"], work, job(extraction=ALONE), crawler)


@pytest.mark.usefixtures("no_worker", "full_disk")
def test_a_disk_that_takes_nothing_is_an_error_and_acknowledges_nothing(tmp_path: Path) -> None:
    crawler = scrapy_crawler()

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        # Nothing comes after the first, so that it is written at once.
        await pipeline.process_item(pages[0])
        with pytest.raises(CorpusError, match="no room"):
            await pipeline.process(pages[0])
        assert (await crawl_of(crawler).frontier.stats()).done == 0

    with pytest.raises(CorpusError, match="no room"):
        crawl(tmp_path, ["/articles/how-tides-work"], work, job(extraction=ALONE), crawler)


@pytest.mark.usefixtures("no_worker", "full_disk")
def test_the_first_error_is_told_and_not_a_disk_that_is_full_afterwards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crawler = scrapy_crawler()

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        crawl_of(crawler).ending.fail(NoBrowserError("no browser can be started"))
        await pipeline.process(pages[0])

    with pytest.raises(NoBrowserError):
        crawl(tmp_path, ["/articles/how-tides-work"], work, crawler=crawler)
    shown = capsys.readouterr().out
    assert "no browser can be started" in shown
    assert "no room" not in shown


@pytest.mark.usefixtures("no_worker")
@pytest.mark.parametrize("site_memory", [True, False])
def test_on_a_disk_that_is_full_pages_were_read_but_count_as_nothing_else(
    tmp_path: Path, *, site_memory: bool
) -> None:
    (tmp_path / "corpus").mkdir()
    made = job(extraction={"site_memory": site_memory})
    crawler = scrapy_crawler()

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        # Files stand where folders should be.
        (tmp_path / "corpus/documents").write_text("")
        state = Layout(tmp_path / "corpus", crawl_of(crawler).worker).state
        shutil.rmtree(state)
        state.write_text("")
        for one in pages:
            with suppress(DropItem):
                await pipeline.process_item(one)

    with pytest.raises(CorpusError):
        crawl(tmp_path, ["/articles/how-tides-work", "/zh/articles/tea"], work, made, crawler)
    run = totals(crawler.stats.get_stats())
    assert (run.read, run.held, run.pages) == (2, 0, 0)


@pytest.mark.usefixtures("no_worker")
def test_pages_count_once_at_every_moment_also_those_that_wait_for_their_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.item_pipeline.CAPACITY", 3)
    moments: list[tuple[int, int, int]] = []
    crawler = scrapy_crawler()

    async def work(pipeline: CorpusPipeline, pages: list[Page]) -> None:
        for one in pages:
            with suppress(DropItem):
                await pipeline.process_item(one)
            run = totals(crawler.stats.get_stats())
            moments.append((run.read, run.held, run.pages))

    paths = ["/articles/how-tides-work", "/articles/a-railway-up-the-mountain", "/odd/short"]
    crawl(tmp_path, [*paths, "/zh/articles/tea"], work, crawler=crawler)
    assert moments == [(1, 1, 0), (2, 2, 0), (3, 0, 3), (4, 0, 4)]
