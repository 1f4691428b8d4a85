"""The last step of the pipeline: filter documents, write them, and acknowledge their pages.

To add an output beside the shards, write a module like ``pipelines.corpus.screenshots``, and add a
line to ``OUTPUTS``; what a job may choose about it is a key of ``settings.tables.outputs``.

    async with CorpusOutput(folder, "worker-1", leases, on_failure=report) as output:
        rejection = await output.take(page, document)

Once a line is on disk, the WARC file is synced, then the filters record what was kept, and last the
frontier gets the acknowledgement. After a crash in between, the page is fetched again.

A page that waits for its site is held instead: its row is durable before its URL is acknowledged.
Its line is written when it is released, and once that is on disk, the row is removed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Self, TypeVar, TypeVarTuple

from crawler.frontier.base import LONGEST_OUTCOME, Ack, Lease
from crawler.frontier.errors import FrontierError
from crawler.frontier.lease_holder import LeaseHolder
from crawler.items import Document, Page, document_id
from crawler.outcomes import HELD, KEPT, REJECTED, Rejection
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.held_page import HeldRow
from pipelines.corpus.held_pages import HeldPages
from pipelines.corpus.layout import Layout
from pipelines.corpus.page_output import PageOutput
from pipelines.corpus.screenshots import Screenshots
from pipelines.corpus.shards import Rotation
from pipelines.corpus.warc import WarcSeries
from pipelines.corpus.writer import CorpusWriter, FrameLimits
from pipelines.filters import filter_chain
from pipelines.filters.base import FilterChain
from settings.tables.filters import Filters
from settings.tables.outputs import Outputs

# They take the job's outputs and the writer's paths; the result is None if the job asks for none.
OUTPUTS: Final[list[Callable[[Outputs, Layout], PageOutput | None]]] = [
    WarcSeries.of_job,
    Screenshots.of_job,
]

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class PendingAck:
    """What to acknowledge once a line is on disk.

    id: of the page. lease: None for a held page that is released, which has none any more.
    document: None for a reject. row: of a page that is held instead of written.
    """

    id: str
    lease: Lease | None
    outcome: str
    document: Document | None = None
    row: HeldRow | None = None


class CorpusOutput:
    """One worker's corpus. Use as an async context manager, in one loop.

    folder: the corpus. name: the writer's, part of its file names.
    leases: receive an acknowledgement for every page that is safe on disk.
    on_failure: called once when a write or an acknowledgement fails, because no call may follow
        that could raise the error.
    After a failure every call raises CorpusError.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        leases: LeaseHolder,
        *,
        on_failure: Callable[[CorpusError], None],
        filters: Filters | None = None,
        outputs: Outputs | None = None,
        frames: FrameLimits | None = None,
    ) -> None:
        self._on_failure = on_failure
        self._layout = Layout(folder, name)
        self._leases = leases
        self._filters = filters or Filters()
        self._outputs = outputs or Outputs()
        self._frames = frames or FrameLimits()
        # One thread writes the outputs beside the shards, in the order of the pages.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="page outputs")
        self._page_outputs: list[PageOutput] = []
        self._chain: FilterChain
        self._held: HeldPages
        # Rows on their way to the file, by host.
        self._queued: Counter[str] = Counter()
        self._writer: CorpusWriter[PendingAck]

    async def __aenter__(self) -> Self:
        """Open the corpus, after recovery from a crash if need be. Raises CorpusError."""
        outputs = self._outputs
        async with AsyncExitStack() as stack:
            rotation = Rotation(bytes=outputs.shard_size, seconds=outputs.shard_time)
            self._writer = await stack.enter_async_context(
                CorpusWriter(
                    self._layout.folder,
                    self._layout.writer,
                    self._acknowledge,
                    on_failure=self._on_failure,
                    frames=self._frames,
                    rotation=rotation,
                    level=outputs.compression_level,
                )
            )
            # After the writer, which holds the lock on the name.
            self._chain = stack.enter_context(filter_chain(self._filters, self._layout.state))
            self._held = await self._in_thread(HeldPages, self._layout.held)
            stack.callback(self._held.close)
            await self._recount()
            self._page_outputs = await self._in_thread(self._open_outputs)
            stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def take(self, page: Page | None, document: Document) -> Rejection | None:
        """Filter a document and write it; returns the rejection if it is not kept.

        page: None for a held page, which has been acknowledged.
        """
        rejection = self._chain.judge(document)
        if rejection is not None:
            await self.reject(page, document, rejection)
            return rejection
        try:
            document = await self._beside(page, document)
            ack = PendingAck(document.id, _lease_of(page), KEPT, document)
            await self._writer.add(document, ack=ack)
        except BaseException:
            self._chain.forget(document)
            raise
        return None

    async def reject(self, page: Page | None, document: Document, rejection: Rejection) -> None:
        """Write a rejected page, with as much of its document as there is."""
        document = await self._beside(page, document)
        if not self._outputs.keep_rejects:
            document = replace(document, text="")
        outcome = f"{REJECTED}{rejection.reason}"[:LONGEST_OUTCOME]
        ack = PendingAck(document.id, _lease_of(page), outcome)
        await self._writer.reject(document, rejection, ack=ack)

    async def hold(
        self, page: Page, document: Document, row: Callable[[Document], HeldRow]
    ) -> None:
        """Keep a page that waits for its site; ``row`` makes of the document what is stored."""
        document = await self._beside(page, document)
        made = await self._in_thread(row, document)
        self._queued[made.host] += 1
        await self._writer.put_off(PendingAck(page.id, page.lease, HELD, row=made), made.size)

    @property
    def held(self) -> int:
        """The number of pages that wait for their site."""
        return self._held.count + self._queued.total()

    async def held_of(self, host: str, most: int, *, is_last: bool = False) -> list[HeldRow]:
        """At most so many held pages of a host, each only once; see ``HeldPages.take``."""
        if self._queued[host]:
            await self.flush()
        if not self._held.count:
            return []
        return await self._in_thread(partial(self._held.take, host, most, is_last=is_last))

    async def held_marks(self, host: str, most: int) -> dict[bytes, bytes]:
        """The marks of at most so many held pages of a host, by key."""
        return await self._in_thread(self._held.marks, host, most)

    async def held_hosts_after(self, host: str, most: int) -> list[str]:
        """At most so many hosts with held pages, in alphabetical order."""
        return await self._in_thread(self._held.hosts_after, host, most)

    async def flush_if_idle(self, held: int) -> None:
        """Flush now if no other page can arrive before the next frame is due.

        held: the leases that the worker holds; if more than are pending here, pages are still in
            progress.
        """
        if held > self._writer.pending:
            return
        seconds = await self._leases.frontier.lease_in()
        if seconds is None or seconds > self._frames.seconds:
            await self.flush()

    async def flush(self) -> None:
        """Return once everything so far is on disk and acknowledged."""
        await self._writer.flush()

    async def close(self) -> None:
        """Write and acknowledge what is pending, complete the files and release the folder."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(asyncio.to_thread, self._thread.shutdown)
            stack.callback(self._chain.close)
            stack.callback(self._held.close)
            for output in self._page_outputs:
                stack.push_async_callback(self._in_thread, output.complete)
            await self._writer.close()

    async def _acknowledge(self, acks: Sequence[PendingAck]) -> None:
        """Raises CorpusError, which ends the crawl: later acknowledgements would fail as well."""
        for output in self._page_outputs:
            await self._in_thread(output.sync)
        self._chain.remember([ack.document for ack in acks if ack.document is not None])
        rows = [ack.row for ack in acks if ack.row is not None]
        done = {ack.id: None if ack.lease else ack.outcome for ack in acks if ack.row is None}
        await self._in_thread(self._held.settle, rows, done)
        self._queued -= Counter(row.host for row in rows)
        # Pages whose lease was lost in the meantime are fetched again.
        try:
            lost = await self._leases.ack_all(
                [Ack(ack.lease, ack.outcome) for ack in acks if ack.lease is not None], pages=True
            )
        except FrontierError as error:
            raise CorpusError(str(error)) from error
        if rows:
            gone = {document_id(lease.url) for lease in lost}
            await self._in_thread(self._held.acknowledged, [row.id for row in rows], gone)
        await self._recount()

    async def _recount(self) -> None:
        """Tell the frontier what became of held pages. Raises CorpusError."""
        change = self._held.untold
        if change is None:
            return
        try:
            await self._leases.frontier.recount(self._layout.writer, *change)
        except FrontierError as error:
            raise CorpusError(str(error)) from error
        self._held.told()

    async def _in_thread(
        self, work: Callable[[*Arguments], Result], *arguments: *Arguments
    ) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work, *arguments)

    def _open_outputs(self) -> list[PageOutput]:
        opened = (make(self._outputs, self._layout) for make in OUTPUTS)
        return [output for output in opened if output is not None]

    async def _beside(self, page: Page | None, document: Document) -> Document:
        """Write the outputs beside the shards; returns the document, which may name them."""
        if page is None or not self._page_outputs:
            return document
        return await self._in_thread(self._write, page, document)

    def _write(self, page: Page, document: Document) -> Document:
        for output in self._page_outputs:
            document = replace(document, **output.write(page))
        return document


def _lease_of(page: Page | None) -> Lease | None:
    return None if page is None else page.lease
