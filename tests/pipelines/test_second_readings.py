"""Pages that were held: what becomes of them when they cannot be read again, or not at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from corpus_samples import document, page, unheard

from crawler.exit_codes import StorageError
from crawler.frontier import Candidate, SqliteFrontier
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.sites import SiteStore
from crawler.html import Html
from crawler.items import Document, Page
from crawler.outcomes import Rejection
from extraction.site_memory import CAPACITY, SiteMemory
from pipelines.corpus_output import CorpusOutput
from pipelines.reading.content import Content, ContentTask, Reading
from pipelines.reading.page_reader import PageReader, PageTask
from pipelines.reading.site_memories import SiteMemories, marks_of
from pipelines.second_readings import SecondReadings

READER = PageReader()
WORDS = """harbour tide ledger boat mast lantern fog signal keeper rope anchor gull pier storm chart
compass captain crew cargo barrel salt market morning evening letter window garden river""".split()


def html(number: int) -> bytes:
    words = " ".join(random.Random(number).choices(WORDS, k=80))
    return f"<title>A page</title><main><p>{words}.</p></main>".encode()


class Reader:
    """Reads pages again as the page workers do, or not at all.

    refusal: what comes instead of the second reading. known: how many pages each was read with.
    """

    def __init__(self, refusal: Rejection | None = None) -> None:
        self.refusal = refusal
        self.known: list[int] = []

    async def read_again(self, task: ContentTask) -> Content | Rejection:
        assert task.site is not None
        self.known.append(len(SiteMemory.from_bytes(task.site)))
        return self.refusal or READER.content(READER.parse(task))

    def remember(self, name: str, html: Html) -> None:
        assert html.content


@asynccontextmanager
async def opened(
    folder: Path, reader: Reader, store: SiteStore | None = None
) -> AsyncIterator[tuple[SecondReadings, CorpusOutput, LeaseHolder, dict[str, Any]]]:
    """Second readings with a real frontier and corpus, and what was told of each document."""
    told: dict[str, Any] = {}

    def tell(document: Document, rejection: Rejection | None, _: ContentTask) -> None:
        told[document.url] = (document, rejection)

    async with (
        LeaseHolder(await SqliteFrontier.open(folder)) as leases,
        CorpusOutput(folder / "corpus", "worker-1", leases, on_failure=unheard) as output,
    ):
        sites = SiteMemories(store or leases.frontier.sites(CAPACITY))
        yield SecondReadings(reader, output, sites, tell), output, leases, told  # type: ignore[arg-type]


async def visit(
    second: SecondReadings,
    leases: LeaseHolder,
    number: int,
    *,
    text: int | None = None,
    depth: int = 0,
) -> Document | None:
    """A page of the site comes for the first time. text: of which page it has the text."""
    await leases.add([Candidate(f"https://host-{number}.test/", depth=depth)])
    (lease,) = await leases.lease(1)
    sample = page(number, html(number if text is None else text))
    moment = sample.fetched_at + timedelta(seconds=number)
    found = Page(lease, sample.url, 200, sample.headers, sample.html, moment)
    reading = READER.read(PageTask.of(found))
    assert isinstance(reading, Reading)
    return await second.final(found, reading)


def run(
    folder: Path, pages: int, reader: Reader, store: SiteStore | None = None
) -> tuple[dict[str, Any], Mapping[str, int]]:
    """Hold some pages, and release them at the end; what was told, and the outcomes."""

    async def work() -> tuple[dict[str, Any], Mapping[str, int]]:
        async with opened(folder, reader, store) as (second, output, leases, told):
            for number in range(pages):
                assert await visit(second, leases, number) is None
            assert output.waiting.count == pages
            await second.release_all(lambda: True)
            assert output.waiting.count == 0
            return told, (await leases.frontier.stats()).outcomes

    return asyncio.run(work())


def test_pages_of_a_small_site_are_read_again_with_all_the_others(tmp_path: Path) -> None:
    reader = Reader()
    told, outcomes = run(tmp_path, 8, reader)
    assert reader.known == [8] * 8
    assert outcomes == {"kept": 8}
    assert {document.site_pages for document, _ in told.values()} == {7}


def test_a_page_that_is_alone_on_its_site_is_read_once(tmp_path: Path) -> None:
    reader = Reader()
    told, outcomes = run(tmp_path, 1, reader)
    ((document, _),) = told.values()
    assert (reader.known, outcomes) == ([], {"kept": 1})
    assert document.site_pages == 0


def test_a_page_that_cannot_be_read_again_is_kept_as_it_was_read_first(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    told, outcomes = run(tmp_path, 2, Reader(Rejection("timeout", "not read after 30 s")))
    assert outcomes == {"kept": 2}
    assert all(document.text for document, _ in told.values())
    assert {document.site_pages for document, _ in told.values()} == {0}
    assert caplog.text.count("could not be read again with its site: timeout") == 2


def test_a_filter_that_fails_makes_a_reject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: object, document: Document) -> None:
        if document.url.endswith("/0"):
            raise ZeroDivisionError("of a filter")

    monkeypatch.setattr("pipelines.filters.minimum_length.MinimumLength.judge", broken)
    _, outcomes = run(tmp_path, 2, Reader())
    assert outcomes == {"kept": 1, "rejected: error": 1}


class Forgetful(SiteStore):
    """Knows nothing of what it was told before: as Redis, when it has expired."""

    async def add(self, host: str, marks: Mapping[bytes, bytes]) -> list[bytes]:
        self.marks = dict(marks)
        return []

    async def all(self, host: str) -> list[bytes]:
        return list(self.marks.values())


def test_what_was_forgotten_is_learned_from_the_pages_that_wait(tmp_path: Path) -> None:
    reader = Reader()
    run(tmp_path, 5, reader, Forgetful())
    assert reader.known == [5] * 5


def test_the_page_that_fills_the_memory_is_read_at_once_and_releases_the_others(
    tmp_path: Path,
) -> None:
    reader = Reader()

    async def work() -> tuple[int, list[str]]:
        async with opened(tmp_path, reader) as (second, output, leases, told):
            for number in range(CAPACITY - 1):
                assert await visit(second, leases, number) is None
            last = await visit(second, leases, CAPACITY - 1)
            assert last is not None
            assert last.site_pages == CAPACITY - 1
            assert output.waiting.count == CAPACITY - 1, "none is safe yet"
            await output.flush()
            return output.waiting.count, list(told)

    held, told = asyncio.run(work())
    assert (held, len(told)) == (0, CAPACITY - 1)
    assert reader.known == [CAPACITY] * CAPACITY


class Backwards(Reader):
    """Of so many pages, those that begin first are read last."""

    def __init__(self, pages: int) -> None:
        super().__init__()
        self.begun = 0
        self.done = [asyncio.Event() for _ in range(pages)]

    async def read_again(self, task: ContentTask) -> Content | Rejection:
        number = self.begun
        self.begun += 1
        for later in self.done[number + 1 :]:
            await later.wait()
        self.done[number].set()
        return await super().read_again(task)


def test_of_equal_pages_the_nearest_to_a_seed_is_kept_then_the_earliest(tmp_path: Path) -> None:
    async def work() -> dict[str, Any]:
        async with opened(tmp_path, Backwards(5)) as (second, _, leases, told):
            for number, depth in enumerate([3, 1, 1, 2]):
                await visit(second, leases, number, text=9, depth=depth)
            await visit(second, leases, 4, depth=4)
            await second.release_all(lambda: True)
            return told

    told = asyncio.run(work())
    kept = [url for url, (_, rejection) in told.items() if rejection is None]
    assert kept == ["https://example.com/1", "https://example.com/4"]


def test_a_page_that_comes_while_others_are_released_is_judged_after_them(tmp_path: Path) -> None:
    class Late(Reader):
        """The first held page is read after the last page of all has come."""

        def __init__(self) -> None:
            super().__init__()
            self.first, self.last = asyncio.Event(), asyncio.Event()

        async def read_again(self, task: ContentTask) -> Content | Rejection:
            if task.url == "https://example.com/0":
                self.first.set()
                await self.last.wait()
            if task.url == f"https://example.com/{CAPACITY}":
                self.last.set()
            return await super().read_again(task)

    async def work() -> list[int]:
        reader = Late()
        async with opened(tmp_path, reader) as (second, _, leases, told):

            async def judged_before(number: int) -> int:
                assert await visit(second, leases, number) is not None
                return len(told)

            for number in range(CAPACITY - 1):
                await visit(second, leases, number)
            async with asyncio.timeout(20), asyncio.TaskGroup() as group:
                full = group.create_task(judged_before(CAPACITY - 1))
                await reader.first.wait()
                late = group.create_task(judged_before(CAPACITY))
            return [full.result(), late.result()]

    assert asyncio.run(work()) == [CAPACITY - 1] * 2


def test_pages_wait_for_the_next_run_if_this_one_is_told_to_stop(tmp_path: Path) -> None:
    async def first() -> None:
        async with opened(tmp_path, Reader()) as (second, output, leases, told):
            for number in range(3):
                await visit(second, leases, number)
            await second.release_all(lambda: False)
            await output.flush()
            assert (output.waiting.count, told) == (3, {})
            assert (await leases.frontier.stats()).outcomes == {"held": 3}

    async def next_run() -> None:
        async with opened(tmp_path, Reader()) as (second, output, leases, told):
            assert output.waiting.count == 3
            await second.release_all(lambda: True)
            assert (output.waiting.count, len(told)) == (0, 3)
            assert (await leases.frontier.stats()).outcomes == {"kept": 3}

    asyncio.run(first())
    asyncio.run(next_run())


def test_marks_of_another_version_end_the_crawl(tmp_path: Path) -> None:
    async def work() -> None:
        async with await SqliteFrontier.open(tmp_path) as frontier:
            await frontier.sites(1).add("a.test", {b"key": b"of another version"})
            with pytest.raises(StorageError, match=r"a\.test was written by another version"):
                await SiteMemories(frontier.sites(1)).full("a.test")

    asyncio.run(work())


def test_exact_copies_of_a_page_take_one_place() -> None:
    keys = []
    for number, url in ((1, "http://a.test/1"), (1, "http://a.test/2"), (2, "http://a.test/1")):
        reading = READER.read(PageTask(Html(html(number)), url, document().fetched_at))
        assert reading.marks is not None
        keys += [*marks_of(reading.marks)]
    assert keys[0] == keys[1] != keys[2]
