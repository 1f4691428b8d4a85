"""Documents, pages and corpora for the tests of pipelines."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import zstandard

from crawler.items import Document, Page, document_id
from crawler.lease import Lease
from crawler.outcomes import Rejection
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.shards import Rotation
from pipelines.corpus.writer import CorpusWriter, FrameLimits

BEGIN = datetime(2026, 5, 1, 12, tzinfo=UTC)


def document(
    number: int = 0, text: str | None = None, *, after: float = 0.0, **fields: Any
) -> Document:
    """after: seconds that it is fetched later than usual."""
    url = f"https://example.com/{number}"
    return Document(
        id=document_id(url),
        text=f"The text of document {number}." if text is None else text,
        url=url,
        fetched_at=BEGIN + timedelta(seconds=number + after),
        **fields,
    )


def page(number: int = 0, html: bytes = b"<p>Hello", **fields: Any) -> Page:
    url = f"https://example.com/{number}"
    lease = Lease(url, "example.com", 0, 0, 1, number, 0.0)
    return Page(lease, url, 200, (("content-type", "text/html"),), html, BEGIN, **fields)


def write_corpus(
    folder: Path,
    documents: Iterable[Document],
    rejects: Iterable[tuple[Document, Rejection]] = (),
    *,
    name: str = "worker",
    gone: Iterable[Document] = (),
    **limits: int,
) -> list[str]:
    """Write a corpus as a worker does; the ids that were acknowledged, in order."""
    acknowledged: list[str] = []

    async def acknowledge(receipts: Sequence[str]) -> None:
        acknowledged.extend(receipts)

    async def work() -> None:
        async with CorpusWriter(
            folder,
            name,
            acknowledge,
            on_failure=unheard,
            frames=FrameLimits(documents=limits.get("frame_documents", 10)),
            rotation=Rotation(bytes=limits.get("shard_bytes", 10**9)),
            level=limits.get("level", 3),
        ) as writer:
            for one in documents:
                await writer.add(one, ack=one.id)
            for one, rejection in rejects:
                await writer.reject(one, rejection, ack=one.id)
            for one in gone:
                await writer.bury(one, "not-found", ack=one.id)

    asyncio.run(work())
    return acknowledged


def unheard(_: CorpusError) -> None:
    """For those who hear of a failure by what they call next."""


def plain_lines(path: Path) -> list[bytes]:
    """The lines of a file, read by zstandard alone."""
    with zstandard.open(path, "rb") as file:
        return file.read().splitlines()


def until(condition: Callable[[], bool]) -> Callable[[], Any]:
    """A coroutine function that returns once the condition holds."""

    async def wait() -> None:
        async with asyncio.timeout(20):
            while not condition():
                await asyncio.sleep(0.01)

    return wait
