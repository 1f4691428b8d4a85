"""When the pages of a corpus are written and acknowledged."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import corpus_samples
import orjson
import pytest
from corpus_samples import document, plain_lines, unheard
from warcio.archiveiterator import ArchiveIterator

from crawler.frontier import Candidate, Policy, SqliteFrontier
from crawler.frontier.lease_holder import LeaseHolder
from crawler.items import Document, GonePage, Page
from crawler.outcomes import Judgement, Rejection
from pipelines.corpus.layout import Layout
from pipelines.corpus.shards import ShardSeries
from pipelines.corpus.verification import verify
from pipelines.corpus.warc import WarcSeries
from pipelines.corpus.writer import CorpusWriter, FrameLimits
from pipelines.corpus_output import CorpusOutput
from pipelines.filters.duplicate_text import TEXTS, DuplicateText
from settings.tables.outputs import Outputs

PATIENT = FrameLimits(seconds=60)
LONG = "A word or two. " * 40


@asynccontextmanager
async def opened(
    folder: Path, *, delay: float, pages: int | None = None
) -> AsyncIterator[tuple[LeaseHolder, Page]]:
    """A frontier with two URLs of one host, and the page of the first."""
    store = await SqliteFrontier.open(folder, Policy(delay=delay, pages=pages))
    async with LeaseHolder(store) as frontier:
        await frontier.add([Candidate(f"http://example.com/{number}") for number in range(2)])
        (lease,) = await frontier.lease(1)
        await frontier.fetched([lease])
        when = document(1).fetched_at
        yield frontier, Page(lease, lease.url, 200, (), b"<p>A page", fetched_at=when)


def output_to(folder: Path, frontier: LeaseHolder, **options: Any) -> CorpusOutput:
    return CorpusOutput(folder, "worker-1", frontier, on_failure=unheard, **options)


async def done_if_idle(folder: Path, *, delay: float, held: int) -> int:
    """How many URLs are done once a page was taken in if no other is on its way."""
    async with (
        opened(folder, delay=delay) as (frontier, page),
        output_to(folder / "corpus", frontier, frames=PATIENT) as output,
    ):
        await output.take(page, document(1, LONG))
        await output.flush_if_idle(held)
        return (await frontier.frontier.stats()).done


def test_what_is_pending_is_written_at_once_where_nothing_follows_soon(tmp_path: Path) -> None:
    assert asyncio.run(done_if_idle(tmp_path, delay=100, held=1)) == 1


def test_a_frame_waits_for_the_next_visit_of_a_host(tmp_path: Path) -> None:
    assert asyncio.run(done_if_idle(tmp_path, delay=10, held=1)) == 0


def test_a_frame_waits_for_what_is_still_worked_on(tmp_path: Path) -> None:
    assert asyncio.run(done_if_idle(tmp_path, delay=100, held=2)) == 0


def test_a_document_is_told_to_be_safe_once_its_url_is_done(tmp_path: Path) -> None:
    told: list[tuple[Document, Judgement]] = []

    async def work() -> None:
        async with (
            opened(tmp_path, delay=0) as (frontier, page),
            output_to(
                tmp_path / "corpus",
                frontier,
                frames=PATIENT,
                on_safe=lambda *one: told.append(one),
            ) as output,
        ):
            one = document(1, LONG)
            await output.take(page, one)
            assert told == []
            await output.flush()
            assert told == [(one, None)]

    asyncio.run(work())


@pytest.mark.parametrize("is_kept", [True, False])
def test_documents_and_rejects_count_as_pages(tmp_path: Path, *, is_kept: bool) -> None:
    async def work() -> None:
        async with (
            opened(tmp_path, delay=0, pages=1) as (frontier, page),
            output_to(tmp_path / "corpus", frontier) as output,
        ):
            await output.take(page, document(1, LONG if is_kept else "short"))
            await output.flush()
            assert (await frontier.frontier.stats()).outcomes == {
                "kept" if is_kept else "rejected: too-short": 1
            }
            assert await frontier.frontier.finished()

    asyncio.run(work())


@pytest.mark.parametrize("outcome", ["gone", "blocked"])
def test_what_is_gone_or_taken_down_does_not(tmp_path: Path, outcome: str) -> None:
    async def work() -> None:
        async with (
            opened(tmp_path, delay=0, pages=1) as (frontier, page),
            output_to(tmp_path / "corpus", frontier) as output,
        ):
            if outcome == "gone":
                await output.end(GonePage(page.lease, outcome, page.fetched_at))
            else:
                await output.pass_over(page, outcome)
            await output.flush()
            assert (await frontier.frontier.stats()).outcomes == {outcome: 1}
            assert len(await frontier.lease(1)) == 1

    asyncio.run(work())


def test_all_else_is_safe_before_a_url_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []

    def noted(owner: object, name: str) -> None:
        real = getattr(owner, name)

        def call(*args: Any, **options: Any) -> Any:
            steps.append(name)
            return real(*args, **options)

        monkeypatch.setattr(owner, name, call)

    async def work() -> None:
        outputs = Outputs(warc=True)
        async with (
            opened(tmp_path, delay=0) as (frontier, page),
            output_to(tmp_path / "corpus", frontier, outputs=outputs) as output,
        ):
            noted(WarcSeries, "sync")
            noted(ShardSeries, "append")
            noted(DuplicateText, "remember")
            noted(frontier, "ack_all")
            await output.take(page, document(1, LONG))
            await output.flush()

    asyncio.run(work())
    assert [step for step in steps if step != "append"] == ["sync", "remember", "ack_all"]
    assert steps[0] == "append"


def test_other_work_goes_on_while_the_file_of_texts_is_waited_for(tmp_path: Path) -> None:
    async def work() -> None:
        async with (
            opened(tmp_path, delay=0) as (frontier, page),
            output_to(tmp_path / "corpus", frontier) as output,
        ):
            await output.take(page, document(1, LONG))
            texts = Layout(tmp_path / "corpus", "worker-1").state / TEXTS
            with closing(sqlite3.connect(texts, isolation_level=None)) as db:
                db.execute("BEGIN IMMEDIATE")
                flushed = asyncio.create_task(output.flush())
                await asyncio.sleep(0.2)
                assert not flushed.done()
            await flushed
            assert (await frontier.frontier.stats()).outcomes == {"kept": 1}

    asyncio.run(work())


def test_the_text_of_rejected_pages_is_left_out_where_the_job_says_so(tmp_path: Path) -> None:
    async def work() -> None:
        outputs = Outputs(keep_rejects=False)
        async with (
            opened(tmp_path, delay=0) as (frontier, page),
            output_to(tmp_path / "corpus", frontier, outputs=outputs) as output,
        ):
            await output.take(page, document(1, LONG))
            await output.take(page, document(2, "short"))

    asyncio.run(work())
    texts = {
        path.parent.name: [orjson.loads(line)["text"] for line in plain_lines(path)]
        for path in (tmp_path / "corpus").glob("*/*.jsonl.zst")
    }
    assert texts == {"documents": [LONG], "rejects": [""]}


def test_shards_are_as_large_and_as_tight_as_the_job_says(tmp_path: Path) -> None:
    words = " ".join(f"{number * 7919 % 1000}" for number in range(2000))

    async def work(folder: Path, outputs: Outputs, frames: FrameLimits) -> None:
        async with (
            opened(folder, delay=0) as (frontier, page),
            output_to(folder / "corpus", frontier, outputs=outputs, frames=frames) as output,
        ):
            for number in range(3):
                await output.take(page, document(number, f"{words} {number}"))

    def sizes(frame: int, **table: int) -> list[int]:
        folder = tmp_path / str(table)
        asyncio.run(work(folder, Outputs.model_validate(table), FrameLimits(documents=frame)))
        return [path.stat().st_size for path in (folder / "corpus/documents").iterdir()]

    assert len(sizes(1, shard_size=1000)) == 3
    assert len(sizes(1, shard_size=10**9)) == 1
    assert sizes(9, compression_level=19) < sizes(9, compression_level=1)


class TestDuplicates:
    def test_a_text_that_is_safe_is_known_to_the_next_run(self, tmp_path: Path) -> None:
        async def run(number: int) -> Rejection | None:
            async with (
                opened(tmp_path / str(number), delay=0) as (frontier, page),
                output_to(tmp_path / "corpus", frontier) as output,
            ):
                return await output.take(page, document(number, LONG))

        first, second = asyncio.run(run(1)), asyncio.run(run(2))
        assert (first, second and second.reason) == (None, "duplicate")

    def test_a_text_that_was_not_taken_in_after_all_is_nobodys(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def cancelled(*_: object, **__: object) -> None:
            raise asyncio.CancelledError

        async def work() -> Rejection | None:
            async with (
                opened(tmp_path, delay=0) as (frontier, page),
                output_to(tmp_path / "corpus", frontier) as output,
            ):
                with monkeypatch.context() as patch:
                    patch.setattr(CorpusWriter, "add", cancelled)
                    with pytest.raises(asyncio.CancelledError):
                        await output.take(page, document(1, LONG))
                return await output.take(page, document(2, LONG))

        assert asyncio.run(work()) is None


def test_a_torn_warc_file_is_completed_where_the_job_asks_for_none_any_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run_without() -> None:
        async with (
            opened(tmp_path, delay=0) as (frontier, _),
            output_to(tmp_path, frontier),
        ):
            pass

    asyncio.run(run_without())
    assert not (tmp_path / "warc").exists()
    killed = WarcSeries(Layout(tmp_path, "worker-1"))
    killed.write(corpus_samples.page())
    killed.sync()
    torn = tmp_path / "warc/worker-1-000000.warc.gz.open"
    with torn.open("ab") as file:
        file.write(b"\x1f\x8b torn")
    (note,) = verify(tmp_path).notes
    assert note.startswith(f"{torn} is still being written, or its crawl was killed")

    asyncio.run(run_without())
    assert verify(tmp_path).notes == []
    with torn.with_suffix("").open("rb") as file:
        assert [one.rec_type for one in ArchiveIterator(file)] == ["warcinfo", "response"]
    assert f"recovered {torn}" in caplog.text
