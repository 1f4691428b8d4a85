"""When the pages of a corpus are written and acknowledged."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import corpus_samples
import pytest
from corpus_samples import document, unheard
from warcio.archiveiterator import ArchiveIterator

from crawler.frontier import Candidate, Policy, SqliteFrontier
from crawler.holding import HoldingFrontier
from crawler.items import Page
from pipelines.corpus_output import CorpusOutput
from pipelines.verify import verify
from pipelines.warc import WarcSeries
from pipelines.writer import FrameLimits

PATIENT = FrameLimits(seconds=60)


@asynccontextmanager
async def opened(folder: Path, *, delay: float) -> AsyncIterator[tuple[HoldingFrontier, Page]]:
    """A frontier with two URLs of one host, and the page of the first."""
    store = await SqliteFrontier.open(folder, Policy(delay=delay))
    async with HoldingFrontier(store) as frontier:
        await frontier.add([Candidate(f"http://example.com/{number}") for number in range(2)])
        (lease,) = await frontier.lease(1)
        await frontier.fetched([lease])
        when = document(1).fetched_at
        yield frontier, Page(lease, lease.url, 200, (), b"<p>A page", fetched_at=when)


async def done_if_idle(folder: Path, *, delay: float, held: int) -> int:
    """How many URLs are done once a page was taken in if no other is on its way."""
    async with (
        opened(folder, delay=delay) as (frontier, page),
        CorpusOutput(
            folder / "corpus", "worker-1", frontier, on_failure=unheard, frames=PATIENT
        ) as output,
    ):
        await output.take(page, document(1, "A word or two. " * 40))
        await output.flush_if_idle(held)
        return (await frontier.stats()).done


def test_what_is_pending_is_written_at_once_where_nothing_follows_soon(tmp_path: Path) -> None:
    assert asyncio.run(done_if_idle(tmp_path, delay=100, held=1)) == 1


def test_a_frame_waits_for_the_next_visit_of_a_host(tmp_path: Path) -> None:
    assert asyncio.run(done_if_idle(tmp_path, delay=10, held=1)) == 0


def test_a_frame_waits_for_what_is_still_worked_on(tmp_path: Path) -> None:
    assert asyncio.run(done_if_idle(tmp_path, delay=100, held=2)) == 0


def test_a_torn_warc_file_is_completed_where_the_job_asks_for_none_any_more(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run_without() -> None:
        async with (
            opened(tmp_path, delay=0) as (frontier, _),
            CorpusOutput(tmp_path, "worker-1", frontier, on_failure=unheard),
        ):
            pass

    asyncio.run(run_without())
    assert not (tmp_path / "warc").exists()
    killed = WarcSeries(tmp_path, "worker-1", software="tests")
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
