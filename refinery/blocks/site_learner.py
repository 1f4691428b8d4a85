"""``SiteLearner`` and ``SiteJoiner``: what the pages of each site have in common, before they are
read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from corpus_commons.durable_files import make_folder
from extraction.page_marks import PageMarks
from pipelines.reading.content import Content, ContentTask
from pipelines.reading.marks_reader import MarksReader
from pipelines.reading.site_memories import marks_of
from pipelines.reading.worker_pool import READ_SECONDS, WorkerPool
from pipelines.reading.worker_process import serve
from refinery.blocks.documents import host_of, html_of, rejection_of
from refinery.blocks.page_extractor import AT_ONCE, opened
from refinery.warc.site_marks import site_marks
from settings.tables.genres import Genres


class SiteLearner(PipelineStep):
    """Writes the marks of pages into a file for each task, and passes no document on.

    A task whose file is there does not read its input.

    files: one for each task. timeout: seconds that a page may take; later ones leave no marks.
    """

    type = "🧠 - SITES"
    name = "🏘 Learn sites"

    def __init__(
        self, files: Sequence[Path], genres: Genres | None = None, *, timeout: float = READ_SECONDS
    ) -> None:
        super().__init__()
        self.files = files
        self.genres = genres or Genres()
        self.timeout = timeout

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Raises WorkerError if the worker process cannot be started, OSError for a full disk."""
        yield from ()
        path = self.files[rank]
        if path.exists():
            return
        make_folder(path.parent)
        pool = WorkerPool(
            self.genres, size=1, timeout=self.timeout, serve=partial(serve, make=MarksReader)
        )
        documents = filter(_is_page, data)
        with opened(pool) as runner, site_marks(path) as file:
            while waiting := [*islice(documents, AT_ONCE)]:
                with self.track_time():
                    for document, marks in runner.run(_marks(pool, waiting)):
                        self.stat_update("marked")
                        file.add(host_of(document), marks_of(marks))


class SiteJoiner(PipelineStep):
    """Joins the files of ``SiteLearner`` for ``PageExtractor``, each task into one file.

    sources: files; those of archives that could not be read may be missing.
    """

    type = "🧠 - SITES"
    name = "🏘 Join sites"

    def __init__(self, sources: Sequence[Path], files: Sequence[Path]) -> None:
        super().__init__()
        self.sources = sources
        self.files = files

    def run(
        self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Raises OSError for a full disk."""
        yield from data or ()
        make_folder(self.files[rank].parent)
        with site_marks(self.files[rank]) as file:
            there = (source for source in self.sources if source.exists())
            file.join(there, rank, len(self.files))


def _is_page(document: Document) -> bool:
    """Whether the document is the HTML of a page with a host."""
    known = rejection_of(document) or document.metadata.get("extractor")
    return not known and bool(host_of(document))


async def _marks(
    pool: WorkerPool, documents: Sequence[Document]
) -> list[tuple[Document, PageMarks]]:
    """The pages that have marks, with them."""
    tasks = [ContentTask(html_of(one), one.metadata["url"], "") for one in documents]
    found = await asyncio.gather(*map(pool.read_again, tasks))
    return [
        (document, content.marks)
        for document, content in zip(documents, found, strict=True)
        if isinstance(content, Content) and content.marks is not None
    ]
