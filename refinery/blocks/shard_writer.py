"""``ShardWriter``: writes documents and rejects as a crawl does, each task its own part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from crawler.items import timestamp
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import KINDS, Kind, Layout
from pipelines.corpus.locks import hold_lock
from pipelines.corpus.manifest import Manifest
from pipelines.corpus.shards import Line, Rotation, ShardSeries
from pipelines.corpus.writer import FrameLimits
from refinery.blocks.documents import crawl_document, rejection_of


class ShardWriter(PipelineStep):
    """Writes a corpus, and passes it on; ``genre-crawler corpus`` verifies, counts and merges it.

    A part is in no manifest before all of it is on disk. A task that is run again skips its part if
    it is complete, without reading its input, and otherwise begins it anew; if another process
    writes the part, it waits for it.

    folder: of the corpus, on a disk that all tasks share.
    parts: the name of each task's part; by default ``part-00000`` and so on.
    """

    type = "💽 - WRITER"
    name = "🗂 Corpus"

    def __init__(
        self,
        folder: str | Path,
        parts: Sequence[str] | None = None,
        *,
        rotation: Rotation | None = None,
    ) -> None:
        super().__init__()
        self.folder = Path(folder)
        self.parts = parts
        self.rotation = rotation or Rotation(seconds=float("inf"))

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        """Raises CorpusError if the corpus cannot be written."""
        layout = Layout(self.folder, self.parts[rank] if self.parts else f"part-{rank:05d}")
        with hold_lock(layout, wait=True):
            if layout.manifest.exists():
                self.stat_update("complete_before", unit="task")
                return
            part = _Part(layout, self.rotation)
            for document in data:
                with self.track_time():
                    part.add(document)
                self.stat_update("total")
                yield document
            part.complete()


class _Part:
    """The shards of one task, and their manifest, which is written last."""

    def __init__(self, layout: Layout, rotation: Rotation) -> None:
        self._layout = layout
        self._manifest = Manifest(layout.writer)
        self._limits = FrameLimits()
        self._waiting: dict[Kind, list[Line]] = {kind: [] for kind in KINDS}
        self._bytes = 0
        try:
            for kind in KINDS:
                for left in layout.shards(kind):
                    left.unlink()
        except OSError as error:
            raise CorpusError(f"cannot begin {layout.folder} anew: {error}") from error
        self._series = {
            kind: ShardSeries(layout, kind, self._manifest, rotation, saves_manifest=False)
            for kind in KINDS
        }

    def add(self, document: Document) -> None:
        known, rejection = crawl_document(document), rejection_of(document)
        line = Line(known.to_json(rejection), timestamp(known.fetched_at))
        self._waiting["documents" if rejection is None else "rejects"].append(line)
        self._bytes += len(line.json)
        count = sum(map(len, self._waiting.values()))
        if count >= self._limits.documents or self._bytes >= self._limits.bytes:
            self._write()

    def complete(self) -> None:
        self._write()
        for series in self._series.values():
            series.complete()
        try:
            self._manifest.save(self._layout.manifest)
        except OSError as error:
            raise CorpusError(f"cannot write {self._layout.manifest}: {error}") from error

    def _write(self) -> None:
        for kind, lines in self._waiting.items():
            self._series[kind].append(lines)
            self._waiting[kind] = []
        self._bytes = 0
