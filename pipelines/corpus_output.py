"""The last step of the pipeline: filter documents, write them, and acknowledge their pages.

To add an output beside the shards, write a module like ``pipelines.corpus.screenshots``, and add a
line to ``OUTPUTS``; what a job may choose about it is a key of ``settings.tables.outputs``.

    async with CorpusOutput(folder, "worker-1", leases, on_failure=report) as output:
        rejection = await output.take(page, document)

Once a line is on disk, the WARC file is synced, then the filters record what was kept, and last the
frontier gets the acknowledgement. After a crash in between, the page is fetched again.

A page that waits for its site is held instead: its row is durable before its URL is acknowledged.
Its line is written when it is released, and once that is on disk, the row is removed.

Of a page that is visited again, a text that has not changed is not written, and the acknowledgement
says when the next visit is due and what is remembered until then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from corpus_commons.one_thread import OneThread
from crawler.frontier.base import LONGEST_OUTCOME, Ack
from crawler.frontier.errors import FrontierError
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.visits import NOTHING, Visit
from crawler.items import Document, GonePage, Page, document_id
from crawler.lease import Lease
from crawler.outcomes import (
    HELD,
    KEPT,
    REJECTED,
    UNCHANGED,
    Judgement,
    Rejection,
    Unchanged,
    counts_as_page,
)
from crawler.recrawl.observation import Observation
from crawler.recrawl.revisits import Revisits
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.held_page import Headers, HeldPage, HeldRow
from pipelines.corpus.held_pages import HeldPages
from pipelines.corpus.layout import Layout
from pipelines.corpus.page_output import PageOutput
from pipelines.corpus.screenshots import Screenshots
from pipelines.corpus.shards import Rotation
from pipelines.corpus.warc import WarcSeries
from pipelines.corpus.writer import CorpusWriter, FrameLimits
from pipelines.filters import filter_chain
from pipelines.filters.base import FilterChain
from pipelines.filters.duplicate_text import Copy
from pipelines.pending_ack import ONCE, PendingAck
from pipelines.versions.lineage import Lineage, Step
from pipelines.waiting_pages import WaitingPages
from settings.tables.filters import Filters
from settings.tables.outputs import Outputs

# They take the job's outputs and the writer's paths; the result is None if the job asks for none.
OUTPUTS: Final[list[Callable[[Outputs, Layout], PageOutput | None]]] = [
    WarcSeries.of_job,
    Screenshots.of_job,
]

# Of a response, what the next visit of its page depends on.
_VALIDATORS: Final = frozenset({"etag", "last-modified", "cache-control", "age", "date", "expires"})


class CorpusOutput:
    """One worker's corpus. Use as an async context manager, in one loop.

    folder: the corpus. name: the writer's, part of its file names.
    leases: receive an acknowledgement for every page that is safe on disk.
    revisits: the policy of the crawl; None if it has none.
    on_failure: called once when a write or an acknowledgement fails, because no call may follow
        that could raise the error.
    on_safe: called with each document that is safe on disk and acknowledged, and what became of it.
    waiting: the pages that are held, once it is open.
    After a failure every call raises CorpusError.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        leases: LeaseHolder,
        *,
        on_failure: Callable[[CorpusError], None],
        on_safe: Callable[[Document, Judgement], None] = lambda *_: None,
        revisits: Revisits | None = None,
        filters: Filters | None = None,
        outputs: Outputs | None = None,
        frames: FrameLimits | None = None,
    ) -> None:
        self._on_failure = on_failure
        self._on_safe = on_safe
        self._layout = Layout(folder, name)
        self._leases = leases
        self._revisits = revisits
        self._filters = filters or Filters()
        self._outputs = outputs or Outputs()
        self._frames = frames or FrameLimits()
        # One thread filters, and writes the outputs beside the shards, in the order of the pages.
        self._thread = OneThread("page outputs")
        self._page_outputs: list[PageOutput] = []
        self._chain: FilterChain
        self._writer: CorpusWriter[PendingAck]
        self.waiting: WaitingPages

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
            self.waiting = WaitingPages(
                await self._thread.run(HeldPages, self._layout.held),
                self._thread,
                self._leases.frontier,
                self._layout.writer,
                self.flush,
            )
            stack.callback(self.waiting.close)
            await self.waiting.recount()
            self._leases.on_lease = self._come_anew
            self._page_outputs = await self._thread.run(self._open_outputs)
            stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def take(self, page: Page | HeldPage, document: Document) -> Judgement:
        """Filter a document and write it, unless the page has not changed."""
        try:
            rejection = await self._judged(page, document)
            if rejection is not None:
                return await self.reject(page, document, rejection)
            step = await self._thread.run(self._step, page, document)
            if step.unchanged is None:
                document = await self._beside(page, step.document)
                ack = PendingAck.of(page, KEPT, step, (document, None))
                await self._writer.add(document, ack=replace(ack, outdated=step.outdated))
                return None
        except BaseException:
            await self._thread.run(self._chain.forget, document)
            raise
        await self._thread.run(self._chain.forget, document)
        return await self._leave(page, step, step.unchanged)

    async def reject(
        self, page: Page | HeldPage, document: Document, rejection: Rejection
    ) -> Judgement:
        """Write a rejected page, with as much of its document as there is.

        It is not written again if the last visit's text was rejected for the same reason.
        """
        step = await self._thread.run(self._step, page, document, rejection)
        if step.unchanged is not None:
            return await self._leave(page, step, step.unchanged)
        document = await self._beside(page, step.document)
        if not self._outputs.keep_rejects:
            document = replace(document, text="")
        outcome = f"{REJECTED}{rejection.reason}"[:LONGEST_OUTCOME]
        ack = PendingAck.of(page, outcome, step, (document, rejection))
        await self._writer.reject(document, rejection, ack=ack)
        return rejection

    async def hold(
        self, page: Page, document: Document, row: Callable[[Document], HeldRow]
    ) -> None:
        """Keep a page that waits for its site; ``row`` makes of the document what is stored."""
        step = await self._thread.run(self._step, page, document)
        document = await self._beside(page, step.document)
        made = await self._thread.run(row, document)
        self.waiting.queue(made)
        await self._writer.put_off(replace(PendingAck.of(page, HELD, step), row=made), made.size)

    async def pass_over(self, page: Page, outcome: str) -> None:
        """Acknowledge a page of which nothing is kept, and which is never visited again."""
        await self._writer.put_off(PendingAck(page.id, page.lease, outcome, None), 0)

    async def end(self, gone: GonePage) -> bool:
        """Write a tombstone if the page is gone for good; returns whether it is."""
        lineage = Lineage.of(gone.lease)
        document = lineage.ended(gone)
        found = Observation(seen="gone")
        ack = PendingAck(document_id(gone.lease.url), gone.lease, gone.outcome, found)
        if document is None:
            await self._writer.put_off(ack, 0)
            return False
        ack = replace(ack, outdated=lineage.words)
        await self._writer.bury(document, gone.outcome, ack=ack)
        return True

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
        self._leases.on_lease = None
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self._thread.close)
            stack.callback(self._chain.close)
            stack.callback(self.waiting.close)
            for output in self._page_outputs:
                stack.push_async_callback(self._thread.run, output.complete)
            await self._writer.close()

    async def _acknowledge(self, acks: Sequence[PendingAck]) -> None:
        """Raises CorpusError, which ends the crawl: later acknowledgements would fail as well."""
        for output in self._page_outputs:
            await self._thread.run(output.sync)
        judged = [ack.judged for ack in acks if ack.judged is not None]
        kept = [document for document, judgement in judged if judgement is None]
        outdated = [(ack.id, ack.outdated) for ack in acks if ack.outdated is not None]
        await self._thread.run(self._chain.remember, kept)
        await self._thread.run(self._chain.release, outdated)
        # Pages whose lease was lost in the meantime are fetched again.
        try:
            visits = [await self._next_visit(ack) for ack in acks]
            await self.waiting.settle(acks, [visit for visit, _ in visits])
            lost = await self._leases.ack_all(
                [
                    Ack(ack.lease, ack.outcome, *visit, page=counts_as_page(ack.outcome))
                    for ack, visit in zip(acks, visits, strict=True)
                    if not ack.is_released
                ]
            )
        except FrontierError as error:
            raise CorpusError(str(error)) from error
        for document, judgement in judged:
            self._on_safe(document, judgement)
        await self.waiting.acknowledged(acks, lost)

    async def _come_anew(self, leases: Sequence[Lease]) -> None:
        try:
            await self.waiting.void(leases)
        except CorpusError as error:
            self._on_failure(error)

    async def _next_visit(self, ack: PendingAck) -> tuple[Visit | None, Mapping[str, float]]:
        if self._revisits is None or ack.found is None:
            return None, NOTHING
        return await self._revisits.after(ack.lease, ack.found)

    def _open_outputs(self) -> list[PageOutput]:
        opened = (make(self._outputs, self._layout) for make in OUTPUTS)
        return [output for output in opened if output is not None]

    def _is_versioned(self, lease: Lease) -> bool:
        return self._revisits is not None and self._revisits.plans(lease)

    def _step(
        self, page: Page | HeldPage, document: Document, rejection: Rejection | None = None
    ) -> Step:
        """The place of a document, or of what is rejected, among the versions of its page."""
        if not self._is_versioned(page.lease):
            return Step(document, ONCE)
        lineage = Lineage.of(page.lease)
        step = (
            lineage.kept(document) if rejection is None else lineage.rejected(document, rejection)
        )
        found = replace(
            step.found,
            page_type=document.page_type or "",
            new_links=page.new_links if isinstance(page, Page) else 0,
            headers=validators(page),
            gain=document.rendering_gain,
        )
        return replace(step, found=found)

    async def _judged(self, page: Page | HeldPage, document: Document) -> Rejection | None:
        """The filters' rejection. A text that the corpus has of the page already is no copy.

        The page that had a text first may have lost it by a visit of another worker.
        """
        rejection = await self._thread.run(self._chain.judge, document)
        if not (isinstance(rejection, Copy) and self._is_versioned(page.lease)):
            return rejection
        step = await self._thread.run(self._step, page, document)
        if step.unchanged is not None:
            return None
        if not rejection.url:
            return rejection
        first = Lineage.read(await self._leases.frontier.history(rejection.url))
        if not first.has_lost(rejection.words):
            return rejection
        await self._thread.run(self._chain.release, [(rejection.id, rejection.words)])
        return await self._thread.run(self._chain.judge, document)

    async def _leave(self, page: Page | HeldPage, step: Step, unchanged: Unchanged) -> Unchanged:
        """Acknowledge a page of which nothing is written."""
        ack = PendingAck.of(page, UNCHANGED, step, (step.document, unchanged))
        await self._writer.put_off(ack, 0)
        return unchanged

    async def _beside(self, page: Page | HeldPage, document: Document) -> Document:
        """Write the outputs beside the shards; returns the document, which may name them."""
        if isinstance(page, HeldPage) or not self._page_outputs:
            return document
        return await self._thread.run(self._write, page, document)

    def _write(self, page: Page, document: Document) -> Document:
        for output in self._page_outputs:
            document = replace(document, **output.write(page, document.version))
        return document


def validators(page: Page | HeldPage) -> Headers:
    """What the next visit of a page depends on; of rendered pages the headers say nothing."""
    if isinstance(page, HeldPage):
        return page.headers
    if page.rendered_html is not None:
        return ()
    return tuple((name, value) for name, value in page.headers if name in _VALIDATORS)
