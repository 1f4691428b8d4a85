"""``ShardReader``: the documents of corpora, verified while they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from pipelines.corpus.duplicate_ids import IdLedger, NumberSet
from pipelines.corpus.folder import Shard, shards
from pipelines.corpus.layout import Kind
from pipelines.corpus.merge import ids


class ShardReader(PipelineStep):
    """Reads the shards that the manifests of corpora list; every task reads its share of them.

    folders: of corpora. kind: ``documents``, or ``rejects``, which have ``reject_reason``.
    verify: compare each shard with the checksum in the manifest before it is read.
    latest: the numbers of the lines to read, counted over all shards; None for all lines.
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
        self.latest: NumberSet | None = None

    def shards(self) -> list[Shard]:
        """All shards of the kind, in an order that depends on their names alone.

        Raises CorpusError if a folder is not a corpus, or its manifest cannot be read.
        """
        return self._of_kind(self.kind)

    def tombstones(self) -> list[Shard]:
        """The shards that say which pages are gone. Raises CorpusError as ``shards`` does."""
        return self._of_kind("tombstones")

    def _of_kind(self, kind: Kind) -> list[Shard]:
        return [shard for folder in self.folders for shard in shards(folder) if shard.kind == kind]

    def read_current_state(self) -> None:
        """Read only the text of each page that was fetched last, and none of pages gone since.

        If it was fetched more often without another version in between, all its lines are read: for
        the recipe, as where nothing was visited again. This reads all ids, and verifies the shards,
        so that ``run`` need not. Raises CorpusError as ``run`` does.
        """
        with IdLedger() as ledger:
            for name, rank, time in ids([*self.shards(), *self.tombstones()]):
                ledger.add(name, rank, time)
            self.latest = ledger.all_latest()
        self.verify = False

    def run(
        self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Raises CorpusError also for a shard that is not the one in the manifest."""
        if data:
            yield from data
        every = self.shards()
        begins = [0, *accumulate(shard.entry.documents for shard in every)]
        for begin, shard in list(zip(begins, every, strict=False))[rank::world_size]:
            self.stat_update("input_files")
            if self.verify:
                shard.check_file()
            for number, line in enumerate(shard.documents(), start=begin):
                if self.latest is not None and number not in self.latest:
                    continue
                document = Document(line["text"], line["id"], metadata=line["metadata"])
                self.stat_update("documents")
                self.update_doc_stats(document)
                yield document
