"""Second readings: pages that came before their site was known are read again when it is.

The memory of a host takes pages until it is full, and is never changed after that. Pages that come
before are held; those that come later are read once, with the memory. So all documents of a host
are read with the same memory, and each is written once.

However long each reading takes, held pages are judged in the order of their places, and before
those that come later: of equal ones, the nearest to a seed is no duplicate, then the earliest.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Final
from weakref import WeakValueDictionary

from corpus_commons.counts import number_of
from crawler.items import Document, Page
from crawler.lease import Lease
from crawler.outcomes import Judgement
from crawler.urls import host_key
from extraction.site_memory import CAPACITY
from pipelines.corpus.held_page import HeldPage, HeldRow
from pipelines.corpus_output import CorpusOutput, validators
from pipelines.reading.content import Content, ContentTask, Reading
from pipelines.reading.crawl_reader import FATAL, CrawlReader
from pipelines.reading.site_memories import SiteMemories, marks_of
from pipelines.reading.worker_process import failed

# Held pages whose HTML is in memory at a time; their rows, compressed, are at most so many of each
# host whose pages are released.
_AT_ONCE: Final = 20

_log = logging.getLogger(__name__)

Told = Callable[[Document, Judgement, ContentTask], None]
# A held page, and the memory of its site; None if it is alone there.
Released = tuple[HeldRow, bytes | None]


class SecondReadings:
    """Holds the pages of a crawl, and releases them.

    told: called with the document of each page that is released, what became of it, and how it
        was read.
    Its methods raise CorpusError, WorkerError or FrontierError if no more pages can be processed.
    """

    def __init__(
        self, reader: CrawlReader, output: CorpusOutput, sites: SiteMemories, told: Told
    ) -> None:
        self._reader = reader
        self._output = output
        self._sites = sites
        self._told = told
        self._room = asyncio.Semaphore(_AT_ONCE)
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def final(self, page: Page, reading: Reading) -> Document | None:
        """The document of a page that was read; None if the page is held until its site is known.

        Among the pages that were on their way to be read when the memory became full, some are read
        again at once. If it is full, no page of the host is held any more when this returns.
        """
        host = host_key(page.url)
        document = await self._read_or_held(page, reading, host)
        await self.release(host)
        return document

    async def _read_or_held(self, page: Page, reading: Reading, host: str) -> Document | None:
        document = reading.document(page)
        if reading.marks is None:
            return document
        marks = marks_of(reading.marks)
        task = ContentTask.again(page, reading)
        site = await self._sites.add(host, marks)
        if site is not None:
            return await self._read(HeldPage(document, task, page.lease), site)
        ((key, mark),) = marks.items()

        def row(document: Document) -> HeldRow:
            held = HeldPage(document, task, page.lease, validators(page))
            return HeldRow.of(held, host, key, mark)

        await self._output.hold(page, document, row)
        return None

    async def release(self, host: str) -> None:
        """Release the held pages of a host if its memory is full."""
        waiting = self._output.waiting
        if waiting.count and (site := await self._sites.full(host)) is not None:
            async with self._turns.setdefault(host, asyncio.Lock()):
                while rows := await waiting.take(host, _AT_ONCE):
                    await self._finish_all((row, site) for row in rows)

    async def release_earlier(self, lease: Lease) -> Lease:
        """Release what an earlier visit of a page has left, before the page is judged by this one.

        Otherwise this visit would be compared with a text that was never written. Returns the lease
        of this visit, with what is known of the page since.
        """
        if not lease.history:
            return lease
        async with self._turns.setdefault(lease.host, asyncio.Lock()):
            row = await self._output.waiting.take_earlier(lease)
            if row is None:
                return lease
            await self._finish_all([(row, await self._site_so_far(row.host))])
            # It leaves the file before its page may be held there again.
            await self._output.flush()
            return replace(lease, history=self._output.waiting.history(row))

    async def release_all(self, goes_on: Callable[[], bool]) -> None:
        """Release all held pages, with what is known of their sites; stop if ``goes_on`` is false.

        Call it when no page is on its way.
        """
        waiting = self._output.waiting
        if not waiting.count or not goes_on():
            return
        _log.info("reading %s again, knowing more of the site", number_of(waiting.count, "page"))
        await self._output.flush()
        batch: list[Released] = []
        async for one in self._last(goes_on):
            batch.append(one)
            if len(batch) == _AT_ONCE:
                await self._finish_all(batch)
                batch = []
        await self._finish_all(batch)
        await self._output.flush()

    async def _last(self, goes_on: Callable[[], bool]) -> AsyncIterator[Released]:
        """All held pages, host by host."""
        waiting = self._output.waiting
        last = ""
        while goes_on() and (hosts := await waiting.hosts_after(last, _AT_ONCE)):
            for host in hosts:
                site = await self._site_so_far(host)
                while goes_on() and (rows := await waiting.take(host, _AT_ONCE, is_last=True)):
                    for row in rows:
                        yield row, site
            last = hosts[-1]

    async def _site_so_far(self, host: str) -> bytes | None:
        # What a shared store has forgotten meanwhile is known from the pages themselves.
        marks = await self._output.waiting.marks(host, CAPACITY)
        return await self._sites.so_far(host, marks)

    async def _finish_all(self, released: Iterable[Released]) -> None:
        """Read pages again, many at a time, and judge them one after the other."""
        tasks: list[asyncio.Task[None]] = []
        for row, site in released:
            tasks.append(asyncio.create_task(self._finish(row, site, *tasks[-1:])))
        await asyncio.gather(*tasks)

    async def _finish(
        self, row: HeldRow, site: bytes | None, before: asyncio.Task[None] | None = None
    ) -> None:
        # The room is taken in the order of the pages, so the first of them never waits for others.
        async with self._room:
            page = await asyncio.to_thread(row.page)
            document = page.document if site is None else await self._read(page, site)
            if before is not None:
                await before
            await self._judge(page, document)

    async def _judge(self, page: HeldPage, document: Document) -> None:
        try:
            verdict = await self._output.take(page, document)
        except FATAL:
            raise
        except Exception as error:
            _log.exception("could not process %s", document.url)
            verdict = await self._output.reject(page, document, failed(error))
        if verdict is None:
            self._reader.remember(document.id, page.task.html)
        self._told(document, verdict, page.task)

    async def _read(self, page: HeldPage, site: bytes) -> Document:
        """The final document; if the page cannot be read again, as it was read without its site."""
        found = await self._reader.read_again(replace(page.task, site=site))
        if isinstance(found, Content):
            return found.put_into(page.document)
        _log.warning(
            "%s could not be read again with its site: %s %s",
            page.document.url,
            found.reason,
            found.detail,
        )
        return page.document
