"""``ShardReader``: the documents of corpora, verified while they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from pipelines.corpus.folder import Shard, shards
from pipelines.corpus.layout import Kind


class ShardReader(PipelineStep):
    """Reads the shards that the manifests of corpora list; every task reads its share of them.

    folders: of corpora. kind: ``documents``, or ``rejects``, which have ``reject_reason``.
    verify: compare each shard with the checksum in the manifest before it is read.
    """

    type = "📖 - READER"
    name = "🗂 Corpus"

    def __init__(
        self,
        folders: str | Path | Sequence[str | Path],
        kind: Kind = "documents",
        *,
        verify: bool = True,
    ) -> None:
        super().__init__()
        several = [folders] if isinstance(folders, str | Path) else folders
        self.folders = [Path(folder) for folder in several]
        self.kind = kind
        self.verify = verify

    def shards(self) -> list[Shard]:
        """All shards of the kind, in an order that depends on their names alone.

        Raises CorpusError if a folder is not a corpus, or its manifest cannot be read.
        """
        return [
            shard for folder in self.folders for shard in shards(folder) if shard.kind == self.kind
        ]

    def run(
        self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Raises CorpusError also for a shard that is not the one in the manifest."""
        if data:
            yield from data
        for shard in self.shards()[rank::world_size]:
            self.stat_update("input_files")
            if self.verify:
                shard.check_file()
            for line in shard.documents():
                document = Document(line["text"], line["id"], metadata=line["metadata"])
                self.stat_update("documents")
                self.update_doc_stats(document)
                yield document
