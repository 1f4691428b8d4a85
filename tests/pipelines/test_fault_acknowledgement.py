"""A frontier or disk that fails when a page is acknowledged, with no page after it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from corpus_samples import document

from crawler.frontier import Ack, Candidate, Lease, SqliteFrontier
from crawler.frontier.errors import FrontierFullError
from crawler.frontier.lease_holder import LeaseHolder
from crawler.items import Page
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.writer import FrameLimits
from pipelines.corpus_output import CorpusOutput

NOTHING_WAITS = FrameLimits(documents=1, seconds=0.05)


class FullFrontier(SqliteFrontier):
    """Takes no acknowledgement, as on a full disk."""

    async def ack_all(self, acks: Sequence[Ack]) -> list[Lease]:
        raise FrontierFullError("no room")


async def page_of(frontier: LeaseHolder) -> Page:
    await frontier.add([Candidate("http://example.com/")])
    (lease,) = await frontier.lease(1)
    one = document(1)
    return Page(
        lease=lease,
        url=lease.url,
        status=200,
        headers=(),
        html=b"<p>A page",
        fetched_at=one.fetched_at,
    )


async def told_of(frontier: LeaseHolder, folder: Path) -> CorpusError:
    """What the output tells after its only page, while nobody calls it."""
    told: asyncio.Future[CorpusError] = asyncio.get_running_loop().create_future()
    output = CorpusOutput(
        folder, "worker-1", frontier, frames=NOTHING_WAITS, on_failure=told.set_result
    )
    await output.__aenter__()
    await output.take(await page_of(frontier), document(1, "A word or two. " * 40))
    error = await asyncio.wait_for(told, 10)
    with pytest.raises(CorpusError):
        await output.close()
    return error


def test_a_full_frontier_is_told_at_once_and_its_leases_are_not_renewed(tmp_path: Path) -> None:
    async def work() -> tuple[str, int]:
        frontier = LeaseHolder(await FullFrontier.open(tmp_path))
        error = await told_of(frontier, tmp_path / "corpus")
        held = frontier.held
        await frontier.close()
        return str(error), held

    assert asyncio.run(work()) == ("no room", 0)


def test_a_shard_that_cannot_be_written_is_told_at_once(tmp_path: Path) -> None:
    async def work() -> str:
        frontier = LeaseHolder(await SqliteFrontier.open(tmp_path))
        folder = tmp_path / "corpus"
        folder.mkdir()
        (folder / "documents").write_text("A file where the folder should be.")
        error = await told_of(frontier, folder)
        await frontier.close()
        return str(error)

    assert str(tmp_path / "corpus/documents") in asyncio.run(work())
