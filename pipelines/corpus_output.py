"""The last step of the pipeline: filter documents, write them, and acknowledge their pages.

    async with CorpusOutput(folder, "worker-1", frontier, on_failure=report) as output:
        rejection = await output.take(page, document)

Once a line is on disk, the WARC file is synced, then the filters record what was kept, and last the
frontier gets the acknowledgement. After a crash in between, the page is fetched again.
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

from crawler.frontier.base import LONGEST_OUTCOME, Frontier, FrontierError, Lease
from crawler.items import Document, Page
from crawler.outcomes import Rejection
from pipelines.corpus.durable_files import make_folder, replace_file
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import Layout
from pipelines.corpus.shards import Rotation
from pipelines.corpus.warc import WarcSeries, recover
from pipelines.corpus.writer import CorpusWriter, FrameLimits
from pipelines.filters import FilterChain
from pipelines.filters.job_filters import filter_chain
from settings.tables.filters import Filters
from settings.tables.outputs import Outputs

# Outcomes that the frontier counts; REJECTED is followed by the reason.
KEPT: Final = "kept"
REJECTED: Final = "rejected: "
SCREENSHOTS: Final = "screenshots"

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What to acknowledge once a line is written; document: None for a reject."""

    lease: Lease
    outcome: str
    document: Document | None = None


class CorpusOutput:
    """One worker's corpus. Use as an async context manager, in one loop.

    folder: the corpus. name: the writer's, part of its file names.
    frontier: receives an acknowledgement for every page that is safe on disk.
    on_failure: called once when a write or an acknowledgement fails, because no call may follow
        that could raise the error.
    After a failure every call raises CorpusError.
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
        # One thread writes WARC files and screenshots, in the order of the pages.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="raw pages")
        self._warc: WarcSeries | None = None
        self._chain: FilterChain
        self._writer: CorpusWriter[Receipt]

    async def __aenter__(self) -> Self:
        """Open the corpus, after recovery from a crash if need be. Raises CorpusError."""
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
            # After the writer, which holds the lock on the name.
            state = Layout(self._folder, self._name).state
            self._chain = stack.enter_context(filter_chain(self._filters, state))
            self._warc = await self._in_thread(self._open_warc)
            stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def take(self, page: Page, document: Document) -> Rejection | None:
        """Filter a document and write it; returns the rejection if it is not kept."""
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
        """Write a rejected page, with as much of its document as there is."""
        document = await self._with_raw(page, document)
        if not self._outputs.keep_rejects:
            document = replace(document, text="")
        receipt = Receipt(page.lease, f"{REJECTED}{rejection.reason}"[:LONGEST_OUTCOME])
        await self._writer.reject(document, rejection, receipt=receipt)

    async def flush_if_idle(self, held: int) -> None:
        """Flush now if no other page can arrive before the next frame is due.

        held: the leases that the worker holds; if more than are pending here, pages are still in
            progress.
        """
        if held > self._writer.pending:
            return
        seconds = await self._frontier.lease_in()
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
            if self._warc is not None:
                stack.push_async_callback(self._in_thread, self._warc.complete)
            await self._writer.close()

    async def _acknowledge(self, receipts: Sequence[Receipt]) -> None:
        """Raises CorpusError, which ends the crawl: later acknowledgements would fail as well."""
        if self._warc is not None:
            await self._in_thread(self._warc.sync)
        kept = [receipt.document for receipt in receipts if receipt.document is not None]
        self._chain.remember(kept)
        # Pages whose lease was lost in the meantime are fetched again.
        done = [(one.lease, one.outcome) for one in receipts]
        try:
            await self._frontier.ack_all(done, pages=True)
        except FrontierError as error:
            raise CorpusError(str(error)) from error

    async def _with_raw(self, page: Page, document: Document) -> Document:
        """Write the WARC record and the screenshot if the job asks for them.

        Returns the document, with the name of its screenshot.
        """
        if self._warc is not None:
            await self._in_thread(self._warc.write, page)
        if not self._outputs.screenshots or page.screenshot is None:
            return document
        # Spread over 256 folders, so that none grows too large.
        name = f"{SCREENSHOTS}/{document.id[:2]}/{document.id}.jpg"
        await self._in_thread(_write_file, self._folder / name, page.screenshot)
        return replace(document, screenshot=name)

    async def _in_thread(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: work(*args, **kwargs))

    def _open_warc(self) -> WarcSeries | None:
        # Even if this run writes no WARC, an earlier one may have.
        recover(Layout(self._folder, self._name))
        if not self._outputs.warc:
            return None
        return WarcSeries(self._folder, self._name, software=_software())


def _write_file(path: Path, content: bytes) -> None:
    try:
        make_folder(path.parent)
        replace_file(path, content)
    except OSError as error:
        raise CorpusError(
            f"cannot write {path}: {error}; free some disk space and start again"
        ) from error


def _software() -> str:
    try:
        return f"genre-crawler/{version('genre-crawler')}"
    except PackageNotFoundError:
        return "genre-crawler"
