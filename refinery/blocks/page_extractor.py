"""``PageExtractor``: from HTML to main content and metadata, under a kill timer."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from crawler.consent.page_signals import PageSignals
from crawler.discovery.page_scan import rejection_of as rejection_of_empty
from crawler.items import Document as Known
from crawler.items import Page
from crawler.lease import Lease
from crawler.outcomes import Rejection
from pipelines.reading.batches import MOST_PAGES
from pipelines.reading.content import Reading
from pipelines.reading.page_reader import PageTask
from pipelines.reading.worker_pool import READ_SECONDS, WorkerPool
from pipelines.reading.worker_process import Answer
from refinery.blocks.documents import (
    crawl_document,
    host_of,
    html_of,
    rejection_of,
    trove_document,
)
from refinery.blocks.owners import Owners
from refinery.warc.site_marks import JoinedSites
from settings.tables.consent import Consent
from settings.tables.extraction import Extraction
from settings.tables.genres import Genres

# While the worker reads a batch, the next one waits.
AT_ONCE: Final = 2 * MOST_PAGES


class PageExtractor(PipelineStep):
    """Replaces the HTML of documents by their main content, and adds our metadata.

    Documents need ``url`` and ``fetched_at`` or ``date`` in their metadata, as ``WarcReader`` and
    datatrove's own reader give them. Texts that were extracted before, as in WET files, are kept.

    Pages are read by a process of its own, which imports the main module again. So a script runs
    its pipeline under ``if __name__ == "__main__":``.

    genres: thresholds, and the extraction methods for kinds of pages.
    extraction: the output format.
    consent: whose wishes are obeyed; those in the page and its headers, for an archive has no
        robots.txt and no other files to ask. What was found is in ``metadata.consent``.
    sites: files of what is known of sites, as ``SiteLearner`` and ``SiteJoiner`` make them; without
        any, every page is read by itself.
    timeout: seconds that a page may take; then its process is killed, and the page rejected.
    keep_rejects: pass rejected pages on, for ``ShardWriter``; otherwise they are dropped.
    """

    type = "🛢 - EXTRAC"
    name = "⛏ Genre-oriented"

    def __init__(
        self,
        genres: Genres | None = None,
        extraction: Extraction | None = None,
        consent: Consent | None = None,
        *,
        sites: Sequence[Path] = (),
        timeout: float = READ_SECONDS,
        keep_rejects: bool = False,
    ) -> None:
        super().__init__()
        self.genres = genres or Genres()
        self.extraction = (extraction or Extraction()).model_copy(
            update={"site_memory": bool(sites)}
        )
        self.consent = consent or Consent()
        self.sites = sites
        self.timeout = timeout
        self.keep_rejects = keep_rejects

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Raises WorkerError if the worker process cannot be started."""
        pool = WorkerPool(self.genres, self.extraction, size=1, timeout=self.timeout)
        documents, owners = iter(data), Owners(self.consent)
        with opened(pool) as runner, closing(JoinedSites(self.sites)) as sites:
            while waiting := [*islice(documents, AT_ONCE)]:
                with self.track_time():
                    read = runner.run(_read(pool, owners, waiting, sites))
                for document in read:
                    if self._counted(document) or self.keep_rejects:
                        yield document

    def _counted(self, document: Document) -> bool:
        """Whether it is no reject."""
        self.stat_update("total")
        rejection = rejection_of(document)
        if rejection is None:
            self.stat_update("forwarded")
            self.update_doc_stats(document)
        else:
            self.stat_update("dropped", f"dropped_{rejection.reason}")
        return rejection is None


@contextmanager
def opened(pool: WorkerPool) -> Iterator[asyncio.Runner]:
    """An event loop for the pool; the process ends with the block."""
    with asyncio.Runner() as runner:
        runner.run(pool.__aenter__())
        try:
            yield runner
        finally:
            runner.run(pool.close())


async def _read(
    pool: WorkerPool, owners: Owners, documents: Sequence[Document], sites: JoinedSites
) -> list[Document]:
    """The documents with the content of their pages, which the worker reads in batches."""

    async def read(document: Document) -> Document:
        if rejection_of(document) is not None or document.metadata.get("extractor"):
            return document
        scan, html = owners.task(document), html_of(document)
        known = crawl_document(document)
        site = sites.memory(host_of(document))
        task = PageTask(html, known.url, known.fetched_at, site=site, scan=scan)
        return _extracted(replace(known, text=""), await pool.read(task), owners)

    return await asyncio.gather(*map(read, documents))


def _extracted(known: Known, answer: Answer[Reading], owners: Owners) -> Document:
    """The document with what was found in its page, or marked as a reject."""
    found = answer.found
    if isinstance(found, Rejection):
        return trove_document(known, found)
    page = Page(Lease.of_none(known.url), known.url, 0, (), b"", known.fetched_at)
    read = found.document(page)
    document = replace(
        read,
        id=known.id,
        requested_url=known.requested_url,
        rendered=known.rendered,
        extra={**known.extra, **read.extra},
    )
    empty = None if found.empty is None else rejection_of_empty(found.empty)
    signals = answer.scan.signals if answer.scan else PageSignals()
    document, rejection = owners.judged(known, document, signals)
    return trove_document(document, empty or rejection)
