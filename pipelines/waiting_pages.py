"""The pages of one worker that wait for their site: those on their way to the file, and in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence

from corpus_commons.one_thread import OneThread
from crawler.frontier import Frontier, FrontierError
from crawler.frontier.visits import Visit
from crawler.items import document_id
from crawler.lease import Lease
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.held_page import HeldRow
from pipelines.corpus.held_pages import HeldPages, Settled
from pipelines.pending_ack import PendingAck


class WaitingPages:
    """Used in one loop. All methods raise CorpusError if the file cannot be used.

    pages: the file. thread: its only user.
    frontier: told what became of pages, under the name of the writer and the file's own.
    flush: returns once all that are on their way are in the file.
    """

    def __init__(
        self,
        pages: HeldPages,
        thread: OneThread,
        frontier: Frontier,
        writer: str,
        flush: Callable[[], Awaitable[None]],
    ) -> None:
        self._pages = pages
        self._thread = thread
        self._frontier = frontier
        self._writer = writer
        self._flush = flush
        # Rows on their way to the file, by host.
        self._queued: Counter[str] = Counter()
        # Of pages that have come again, by id: the history that their new visit begins with.
        self._histories: dict[str, str] = {}

    @property
    def count(self) -> int:
        """The number of pages that wait for their site, or whose final lines are not safe yet."""
        return self._pages.count + self._queued.total()

    def queue(self, row: HeldRow) -> None:
        """Count a page that is on its way, until it is settled."""
        self._queued[row.host] += 1

    async def void(self, leases: Iterable[Lease]) -> None:
        """Remove what the same visits had left before a crash; see ``HeldPages.void``."""
        if self._pages.unknown:
            pages = {document_id(one.url): one.history for one in leases if not one.kind}
            await self._thread.run(self._pages.void, pages)

    async def take(self, host: str, most: int, *, is_last: bool = False) -> list[HeldRow]:
        """At most so many pages of a host, each only once; see ``HeldPages.take``."""
        if self._queued[host]:
            await self._flush()
        if not self._pages.count:
            return []
        return await self._thread.run(self._pages.take, host, most, is_last=is_last)

    async def take_earlier(self, lease: Lease) -> HeldRow | None:
        """What an earlier visit of a leased page has left; see ``HeldPages.take_earlier``."""
        if not self._pages.count:
            return None
        page = document_id(lease.url)
        row = await self._thread.run(self._pages.take_earlier, page, lease.history)
        if row is not None:
            self._histories[row.id] = lease.history
        return row

    def history(self, row: HeldRow) -> str:
        """Of a page that was taken by ``take_earlier``, once it is settled; asked for once."""
        return self._histories.pop(row.id)

    async def marks(self, host: str, most: int) -> dict[bytes, bytes]:
        """The marks of at most so many pages of a host, by key."""
        return await self._thread.run(self._pages.marks, host, most)

    async def hosts_after(self, host: str, most: int) -> list[str]:
        """At most so many hosts with pages, in alphabetical order."""
        return await self._thread.run(self._pages.hosts_after, host, most)

    async def settle(self, acks: Sequence[PendingAck], visits: Iterable[Visit | None]) -> None:
        """Make durable which pages wait from now on, and which no longer do.

        Call it before the frontier gets the acknowledgements. visits: the next one of each page.
        """
        rows = [ack.row for ack in acks if ack.row is not None]
        done = {
            ack.id: Settled(ack.outcome, ack.lease.url, visit) if ack.is_released else None
            for ack, visit in zip(acks, visits, strict=True)
            if ack.row is None
        }
        await self._thread.run(self._pages.settle, rows, done)
        for name in done.keys() & self._histories:
            settled = done[name]
            if settled is not None and settled.visit is not None:
                self._histories[name] = settled.visit.history
        self._queued -= Counter(row.host for row in rows)

    async def acknowledged(self, acks: Sequence[PendingAck], lost: Iterable[Lease]) -> None:
        """Note that the frontier has the acknowledgements, and tell it what became of its pages."""
        ids = [ack.row.id for ack in acks if ack.row is not None]
        if ids:
            gone = {document_id(lease.url) for lease in lost}
            await self._thread.run(self._pages.acknowledged, ids, gone)
        await self.recount()

    async def recount(self) -> None:
        """Tell the frontier what became of held pages, if it may not know."""
        change = self._pages.untold
        if change is None:
            return
        teller = f"{self._writer} {self._pages.teller}".rstrip()
        try:
            await self._frontier.recount(teller, *change)
        except FrontierError as error:
            raise CorpusError(str(error)) from error
        await self._thread.run(self._pages.told)

    def close(self) -> None:
        """Close the file."""
        # After a failure there are rows that have found no way to it.
        self._queued.clear()
        self._pages.close()
