"""The end of a page's way: judged by the filters, written, and acknowledged once it is safe.

    async with CorpusOutput(folder, "worker-1", frontier, on_failure=tell) as output:
        rejection = await output.take(page, document)

The order of an acknowledgement: what was fetched is synced, the filters remember what is kept, and
at last the frontier is told. A crash between any two of them costs a page that comes again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final, ParamSpec, Self, TypeVar

from crawler.frontier.base import LONGEST_OUTCOME, Frontier, Lease
from crawler.frontier.errors import FrontierError
from crawler.items import Document, Page
from crawler.verdicts import Rejection
from pipelines.durable import make_folder, replace_file
from pipelines.errors import CorpusError
from pipelines.filters import FilterChain
from pipelines.job_filters import filter_chain
from pipelines.layout import Layout
from pipelines.shards import Rotation
from pipelines.warc import WarcSeries, recover
from pipelines.writer import CorpusWriter, FrameLimits
from settings.tables.filters import Filters
from settings.tables.outputs import Outputs

# What the frontier counts: documents as the one, rejects as the other and their reason.
KEPT: Final = "kept"
REJECTED: Final = "rejected: "
SCREENSHOTS: Final = "screenshots"

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a written line acknowledges; document: None for a reject."""

    lease: Lease
    outcome: str
    document: Document | None = None


class CorpusOutput:
    """One worker's corpus. Use it as an async context manager, in one loop.

    folder: the corpus. name: the writer's, part of its file names.
    frontier: is told of every page that is safe on the disk.
    on_failure: is told, once, that the disk or the frontier did not take something. It may be the
        last page, after which nobody calls.
    After that every call raises CorpusError.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        frontier: Frontier,
        *,
        on_failure: Callable[[CorpusError], None],
        filters: Filters | None = None,
        outputs: Outputs | None = None,
        frames: FrameLimits | None = None,
    ) -> None:
        self._on_failure = on_failure
        self._folder = folder
        self._name = name
        self._frontier = frontier
        self._filters = filters or Filters()
        self._outputs = outputs or Outputs()
        self._frames = frames or FrameLimits()
        # WARC files and screenshots are written by one thread, in their pages' order.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="raw pages")
        self._warc: WarcSeries | None = None
        self._chain: FilterChain
        self._writer: CorpusWriter[Receipt]

    async def __aenter__(self) -> Self:
        """Open the corpus, recovered from a crash if there was one. Raises CorpusError."""
        outputs = self._outputs
        async with AsyncExitStack() as stack:
            rotation = Rotation(bytes=outputs.shard_size, seconds=outputs.shard_time)
            self._writer = await stack.enter_async_context(
                CorpusWriter(
                    self._folder,
                    self._name,
                    self._acknowledge,
                    on_failure=self._on_failure,
                    frames=self._frames,
                    rotation=rotation,
                    level=outputs.compression_level,
                )
            )
            # After the writer, which holds the lock of the name.
            state = Layout(self._folder, self._name).state
            self._chain = stack.enter_context(filter_chain(self._filters, state))
            self._warc = await self._in_thread(self._open_warc)
            stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def take(self, page: Page, document: Document) -> Rejection | None:
        """Judge a document and take it in; the rejection if it is not kept."""
        rejection = self._chain.judge(document)
        if rejection is not None:
            await self.reject(page, document, rejection)
            return rejection
        try:
            document = await self._with_raw(page, document)
            receipt = Receipt(page.lease, KEPT, document)
            await self._writer.add(document, receipt=receipt)
        except BaseException:
            self._chain.forget(document)
            raise
        return None

    async def reject(self, page: Page, document: Document, rejection: Rejection) -> None:
        """Take a rejected page in, with as much of its document as there is."""
        document = await self._with_raw(page, document)
        if not self._outputs.keep_rejects:
            document = replace(document, text="")
        receipt = Receipt(page.lease, f"{REJECTED}{rejection.reason}"[:LONGEST_OUTCOME])
        await self._writer.reject(document, rejection, receipt=receipt)

    async def hurry(self, held: int) -> None:
        """Write at once if nothing else is to come before the next frame.

        held: the leases that the worker has; more than wait here are still being worked on.
        """
        if held > self._writer.pending:
            return
        seconds = await self._frontier.lease_in()
        if seconds is None or seconds > self._frames.seconds:
            await self.flush()

    async def flush(self) -> None:
        """Return once everything taken in so far is safe and was acknowledged."""
        await self._writer.flush()

    async def close(self) -> None:
        """Write and acknowledge what waits, complete the files and let go of the folder."""
        async with AsyncExitStack() as stack:
            stack.push_async_callback(asyncio.to_thread, self._thread.shutdown)
            stack.callback(self._chain.close)
            if self._warc is not None:
                stack.push_async_callback(self._in_thread, self._warc.complete)
            await self._writer.close()

    async def _acknowledge(self, receipts: Sequence[Receipt]) -> None:
        """Raises CorpusError: what is not taken now is not later, and the crawl ends."""
        if self._warc is not None:
            await self._in_thread(self._warc.sync)
        kept = [receipt.document for receipt in receipts if receipt.document is not None]
        self._chain.remember(kept)
        # Pages whose lease was lost meanwhile come again.
        done = [(one.lease, one.outcome) for one in receipts]
        try:
            await self._frontier.ack_all(done, pages=True)
        except FrontierError as error:
            raise CorpusError(str(error)) from error

    async def _with_raw(self, page: Page, document: Document) -> Document:
        """Keep what was fetched as far as the job asks; the document that knows where."""
        if self._warc is not None:
            await self._in_thread(self._warc.write, page)
        if not self._outputs.screenshots or page.screenshot is None:
            return document
        # Folders of some thousand files each, however many pages there are.
        name = f"{SCREENSHOTS}/{document.id[:2]}/{document.id}.jpg"
        await self._in_thread(_write_file, self._folder / name, page.screenshot)
        return replace(document, screenshot=name)

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: work(*args, **kwargs))

    def _open_warc(self) -> WarcSeries | None:
        # An earlier run may have kept what this one does not.
        recover(Layout(self._folder, self._name))
        if not self._outputs.warc:
            return None
        return WarcSeries(self._folder, self._name, software=_software())


def _write_file(path: Path, content: bytes) -> None:
    try:
        make_folder(path.parent)
        replace_file(path, content)
    except OSError as error:
        raise CorpusError(f"{path} could not be written: {error}. Make room and start again") from (
            error
        )


def _software() -> str:
    try:
        return f"genre-crawler/{version('genre-crawler')}"
    except PackageNotFoundError:
        return "genre-crawler"
