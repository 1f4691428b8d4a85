"""From the documents that a recipe keeps to files: split by site, sorted by host and URL.

A host may have most of a corpus, so the documents of a split are dealt out to its files by their
ids: that bounds a file, which is sorted in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from refinery.blocks.documents import host_of
from refinery.dataset.layout import FOLDERS, SUFFIXES
from refinery.dataset.schema import SCHEMA, row_of
from refinery.dataset.statistics import Statistics
from refinery.dataset.working_files import WorkingReader, WorkingWriter
from refinery.steps.ranking import digest
from settings.addresses import own_domain

Split = Literal["train", "validation"]

STATISTICS: Final = "statistics"
"""The folder of the files' statistics, while the data set is made."""

_BUCKET: Final = "bucket"
_LARGEST: Final = 2**64
_ROW_GROUP: Final = 10_000
_LEVEL: Final = 6


@dataclass(frozen=True, slots=True)
class Bucket:
    """The documents of one file. number, of: its place among those of its split."""

    split: Split
    number: int
    of: int

    @property
    def name(self) -> str:
        return f"{self.split}-{self.number:05d}-of-{self.of:05d}"


def buckets(files: Mapping[Split, int]) -> list[Bucket]:
    """Those of all splits, by how many files each has."""
    return [Bucket(split, number, of) for split, of in files.items() for number in range(of)]


def validation_hosts(hosts: Collection[str], share: float) -> frozenset[str]:
    """The hosts of about that share of sites; none if these were all, since something is trained.

    A site is chosen by a hash of its name alone, so what else is in the corpora moves no host from
    one split to the other.

    >>> sorted(validation_hosts({"a.com", "b.com", "www.b.com"}, 0.3))
    ['b.com', 'www.b.com']
    """
    chosen = {host for host in hosts if digest(own_domain(host)) < share * _LARGEST}
    return frozenset(chosen) if len(chosen) < len(hosts) else frozenset()


class Spread(PipelineStep):
    """Writes each document into the folder of its bucket.

    files: how many each split has. validation: the hosts of that split.
    """

    type = "💽 - WRITER"
    name = "buckets"

    def __init__(
        self, folder: Path, files: Mapping[Split, int], validation: frozenset[str]
    ) -> None:
        super().__init__()
        self.files, self.validation = files, validation
        self.writer = WorkingWriter(folder, f"${{{_BUCKET}}}/${{rank}}")

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        with self.writer:
            for document in data:
                split: Split = "validation" if host_of(document) in self.validation else "train"
                bucket = Bucket(split, digest(document.id) % self.files[split], self.files[split])
                self.writer.write(document, rank, **{_BUCKET: bucket.name})
                yield document


class Arrange(PipelineStep):
    """Writes the files of a bucket in each task: sorted, in all formats, with their statistics."""

    type = "💽 - WRITER"
    name = "data set"

    def __init__(
        self,
        spread: Path,
        out: Path,
        statistics: Path,
        files: Mapping[Split, int],
        formats: Iterable[str],
    ) -> None:
        super().__init__()
        self.spread, self.out, self.statistics = spread, out, statistics
        self.buckets, self.formats = buckets(files), tuple(formats)

    def run(
        self, data: DocumentsPipeline = None, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        bucket = self.buckets[rank]
        folder = self.spread / bucket.name
        documents = list(WorkingReader(folder)()) if folder.exists() else []
        rows = sorted(map(row_of, documents), key=lambda row: (row["host"], row["url"], row["id"]))
        statistics = Statistics()
        for row in rows:
            statistics.add(row)
        statistics.write(self.statistics / f"{bucket.name}.json")
        if rows:
            for format_ in self.formats:
                name = f"{FOLDERS[format_]}/{bucket.name}.{SUFFIXES[format_]}"
                WRITERS[format_](rows, self.out / name)
        yield from documents


def _write_parquet(rows: Sequence[dict[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    pq.write_table(
        table,
        path,
        compression="zstd",
        row_group_size=_ROW_GROUP,
        sorting_columns=pq.SortingColumn.from_ordering(
            SCHEMA, [("host", "ascending"), ("url", "ascending")]
        ),
        write_page_index=True,
    )


def _write_jsonl(rows: Iterable[dict[str, Any]], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zstandard.open(path, "wb", cctx=zstandard.ZstdCompressor(level=_LEVEL)) as file:
        for row in rows:
            moments = {
                name: value.isoformat(timespec="milliseconds")
                for name, value in row.items()
                if isinstance(value, datetime)
            }
            file.write(orjson.dumps(row | moments, option=orjson.OPT_APPEND_NEWLINE))


WRITERS: Final = {"parquet": _write_parquet, "jsonl": _write_jsonl}
"""They write rows to a file of their format."""
