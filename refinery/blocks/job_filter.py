"""``JobFilter``: the filters of a crawl's job, with their reasons."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from pipelines.filters import filter_chain
from refinery.blocks.documents import crawl_document, rejected, rejection_of
from settings.tables.filters import Filters


class JobFilter(PipelineStep):
    """Keeps the documents that a job's filters keep.

    filters: as in a job file. Duplicates are not its task: each process sees only its own part of
        the documents. Blocks that see all of them remove duplicates.
    keep_rejects: pass rejected documents on, for ``ShardWriter``; otherwise they are dropped.
    """

    type = "🔻 - FILTER"
    name = "🚦 Job filters"

    def __init__(self, filters: Filters | None = None, *, keep_rejects: bool = False) -> None:
        super().__init__()
        self.filters = (filters or Filters()).model_copy(update={"duplicates": "keep"})
        self.keep_rejects = keep_rejects

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        with filter_chain(self.filters, Path()) as chain:
            for document in data:
                self.stat_update("total")
                rejection = rejection_of(document)
                if rejection is None:
                    with self.track_time():
                        rejection = chain.judge(crawl_document(document))
                    if rejection is not None:
                        rejected(document, rejection)
                        self.stat_update("dropped", f"dropped_{rejection.reason}")
                    else:
                        self.stat_update("forwarded")
                if rejection is None or self.keep_rejects:
                    yield document
