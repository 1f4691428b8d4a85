"""``corpus merge OUT DIR...`` and ``corpus current DIR... --out OUT``: one corpus made of many.

Lines are read twice: first their ids, to find duplicates, then all that is kept. Memory grows by
only one bit per line.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from typing import Final

import orjson

from corpus_commons.counts import number_of
from corpus_commons.durable_files import make_folder, sync_directory
from pipelines.corpus.duplicate_ids import IdLedger, NumberSet
from pipelines.corpus.errors import CorpusError, DamagedError
from pipelines.corpus.folder import Shard, moment_of, orphans, parsed, shards, version_of
from pipelines.corpus.frames import time_of
from pipelines.corpus.held_files import HeldFile, held_files
from pipelines.corpus.layout import KINDS, Kind, Layout
from pipelines.corpus.manifest import Manifest
from pipelines.corpus.shards import Line, Rotation, ShardSeries

MERGED: Final = "merged"
# Of no other command: what a killed merge has left is removed. ``corpus build`` has its own.
_PARTIAL: Final = ".merging"
_FRAME_LINES: Final = 1000
_FRAME_BYTES: Final = 16 * 1024 * 1024


@dataclass(slots=True)
class Merged:
    """The numbers of lines of each kind that a merge wrote.

    repeats: lines that it left out, because there is the same one, or a later state of the page.
    held: how many of the documents are pages that waited for their site.
    notes: messages about shards that were never completed.
    """

    documents: int = 0
    rejects: int = 0
    tombstones: int = 0
    held: int = 0
    repeats: int = 0
    notes: list[str] = field(default_factory=list)


def merge(
    folders: Sequence[Path],
    out: Path,
    *,
    is_current: bool = False,
    rotation: Rotation | None = None,
) -> Merged:
    """Write one corpus with one manifest to ``out``, which must not exist yet.

    is_current: keep the latest state alone: of each page the text that was fetched last, or its
        tombstone if that came later. Rejects are left out.

    Of several lines with the same id and version, the first is kept; a document wins over a reject,
    and both over a held page, which becomes a document as it was first read. Tombstones are another
    kind of line. Versions count within one crawl, so the latest state goes by time. A shard that a
    killed worker left open is read up to its last intact frame. ``out`` appears only once all of it
    is on disk. Raises NoCorpusError if a folder is not a corpus, DamagedError if a
    manifest or a shard is damaged, and another CorpusError if ``out`` exists or cannot be written.
    """
    if out.exists() or out.is_symlink():
        raise CorpusError(f"{out} already exists; give a new folder")
    parts, notes = _parts(folders)
    # All documents before all rejects, because the first line of an id is kept.
    kinds = [kind for kind in KINDS if not (is_current and kind == "rejects")]
    ordered = [shard for kind in kinds for shard in chain(*parts) if shard.kind == kind]
    held, held_notes = _held(folders)
    partial = out.with_name(out.name + _PARTIAL)
    if partial.resolve() in {folder.resolve() for folder in folders}:
        raise CorpusError(f"{partial} is where {out} is made; rename it, or give another folder")
    try:
        make_folder(out.parent)
        shutil.rmtree(partial, ignore_errors=True)
        make_folder(partial)
        with IdLedger(out.parent) as ledger:
            for name, rank, time in chain(ids(ordered), _held_ids(held)):
                ledger.add(name, rank, time)
            kept = ledger.latest() if is_current else ledger.distinct()
        layout = Layout(partial, MERGED)
        merged = _copy(ordered, held, kept, layout, rotation or Rotation())
        merged.notes = notes + held_notes
        partial.rename(out)
        sync_directory(out.parent)
    except OSError as error:
        raise CorpusError(f"cannot write {out}: {error}") from error
    return merged


def _parts(folders: Iterable[Path]) -> tuple[list[list[Shard]], list[str]]:
    """The shards of each folder, and notes about those that no manifest lists."""
    parts, notes = [], []
    for folder in folders:
        listed = shards(folder)
        beside = orphans(folder, {shard.path for shard in listed})
        parts.append([*listed, *beside.shards])
        notes += [
            f"{shard.path} was never completed: its "
            f"{number_of(shard.entry.documents, 'line is', 'lines are')} merged"
            for shard in beside.shards
        ]
        notes += [
            f"{path} is still being written, so it is left out; merge again after its crawl"
            for path in beside.being_written
        ]
    return parts, notes


def _held(folders: Iterable[Path]) -> tuple[list[HeldFile], list[str]]:
    """The held pages of workers that do not run, and notes about all held pages."""
    found = [file for folder in folders for file in held_files(folder)]
    notes = [
        f"{file.path} is still being written, so its held pages are left out; merge again after "
        "its crawl"
        if file.is_in_use
        else f"{file.path}: {number_of(file.count, 'held page')} merged as first read, unless "
        "read anew since"
        for file in found
    ]
    return [file for file in found if not file.is_in_use], notes


def _held_ids(held: Iterable[HeldFile]) -> Iterator[tuple[str, int, int]]:
    for file in held:
        for line in file.lines():
            try:
                document = parsed(line)
            except ValueError as error:
                raise DamagedError(
                    f"{file.path} has a page that is no document: {error}"
                ) from error
            yield document["id"], 2 * version_of(document), moment_of(document)


def ids(ordered: Iterable[Shard]) -> Iterator[tuple[str, int, int]]:
    """The id, rank and time of each line.

    Raises ShardDamagedError if a shard is not as it was listed.
    """
    for shard in ordered:
        if shard.is_listed:
            shard.check_file()
        for document in shard.documents():
            yield document["id"], shard.rank(document), moment_of(document)


def _copy(
    ordered: Iterable[Shard],
    held: Iterable[HeldFile],
    kept: NumberSet,
    layout: Layout,
    rotation: Rotation,
) -> Merged:
    manifest = Manifest(MERGED)
    manifest.save(layout.manifest)
    numbers = count()
    merged = Merged()

    def write(kind: Kind, lines: Iterable[bytes]) -> int:
        series = ShardSeries(layout, kind, manifest, rotation)
        written = 0
        for frame in in_frames(line for line in lines if next(numbers) in kept):
            series.append(frame)
            written += len(frame)
        series.complete()
        return written

    for kind in KINDS:
        of_kind = (shard for shard in ordered if shard.kind == kind)
        setattr(merged, kind, write(kind, (line for shard in of_kind for line in shard.lines())))
    merged.held = write("documents", (line for file in held for line in file.lines()))
    merged.documents += merged.held
    merged.repeats = next(numbers) - len(kept)
    return merged


def in_frames(lines: Iterable[bytes]) -> Iterator[list[Line]]:
    """Batches of lines, bounded in number and size."""
    waiting: list[Line] = []
    size = 0
    for line in lines:
        waiting.append(Line(line + b"\n", time_of(orjson.loads(line))))
        size += len(line)
        if len(waiting) >= _FRAME_LINES or size >= _FRAME_BYTES:
            yield waiting
            waiting, size = [], 0
    if waiting:
        yield waiting
