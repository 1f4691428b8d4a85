"""Removes documents from a data set: from its files, what was dropped, and what describes it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import orjson
import pyarrow.parquet as pq
import zstandard

from corpus_commons.file_lock import FileLock, LockedError
from corpus_commons.line_files import read_records
from pipelines.corpus.layout import FORGOTTEN
from pipelines.forgetting.record import Record
from pipelines.forgetting.staging import Staging, finish
from pipelines.forgetting.wanted import Wanted
from refinery.dataset.account import Built, StepAccount
from refinery.dataset.arrangement import WRITERS
from refinery.dataset.description import description
from refinery.dataset.dropped import DROPPED, examples, file_of
from refinery.dataset.errors import BuildError
from refinery.dataset.layout import FOLDERS, SUFFIXES, SUMMARY
from refinery.dataset.schema import MOMENTS
from refinery.dataset.statistics import Statistics

Row = dict[str, Any]

# Only while documents are being removed, so that it is no part of the data set.
_LOCK: Final = ".forget.lock"
_KIND: Final = "data set"
_KIND_OF_DROPPED: Final = "dropped"


def forget(folder: Path, wanted: Wanted, record: Record) -> bool:
    """Remove documents from a data set; a kill leaves all or none of them.

    What the steps of its recipe once counted stays as it was, and the card says how many documents
    were removed since. Returns whether a removal that was killed had to be finished first. Raises
    BuildError if the folder is in use, cannot be read or cannot be written.
    """
    try:
        with _locked(folder):
            was_cut = finish(folder)
            _remove(folder, wanted, record)
    except (OSError, ValueError) as error:
        raise BuildError(
            f"cannot remove documents from {folder}: {error}; run the same command again"
        ) from error
    return was_cut


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    path = folder / _LOCK
    try:
        lock = FileLock(path)
    except LockedError:
        raise BuildError(f"documents are being removed from {folder} by another process") from None
    with lock:
        try:
            yield
        finally:
            path.unlink()


def _remove(folder: Path, wanted: Wanted, record: Record) -> None:
    staging = Staging(folder)
    built = Built.read(folder / SUMMARY)
    formats = built.recipe["formats"]
    splits: dict[str, Statistics] = {}
    for format_ in formats:
        # The first format has the figures; the others are the same rows.
        is_first = format_ == formats[0]
        for path in sorted((folder / FOLDERS[format_]).glob(f"*.{SUFFIXES[format_]}")):
            rows = list(_READERS[format_](path))
            kept = [row for row in rows if not _is_wanted(row, wanted)]
            if is_first:
                _count(splits, path.name.partition("-")[0], kept)
                for row in rows:
                    if _is_wanted(row, wanted):
                        record.add_document(_KIND, row)
            if not kept:
                staging.remove(path)
            elif len(kept) < len(rows):
                WRITERS[format_](kept, staging.replacement(path))
    steps = [_without_dropped(step, folder, wanted, record, staging) for step in built.steps]
    if record.counts:
        built = replace(
            built,
            splits=splits,
            # A line may have been of the removed documents alone.
            steps=[replace(step, changes=step.changes.without_lines()) for step in steps],
            forgotten=built.forgotten + record.counts[_KIND],
        )
        _describe(folder, built, staging)
        record.write(folder, staging.replacement(folder / FORGOTTEN))
    staging.commit()


def _count(splits: dict[str, Statistics], split: str, rows: Iterable[Row]) -> None:
    for row in rows:
        splits.setdefault(split, Statistics()).add(row)


def _is_wanted(row: Row, wanted: Wanted) -> bool:
    # Data sets of before there was this column are without it.
    return wanted.has(row["id"], row["url"], row.get("requested_url"))


def _without_dropped(
    step: StepAccount, folder: Path, wanted: Wanted, record: Record, staging: Staging
) -> StepAccount:
    """Remove documents that a step had dropped; its examples are then of those that are left."""
    path = file_of(folder / DROPPED, step.number, step.name)
    lines = list(read_records(path, orjson.loads)) if path.exists() else []
    kept = [line for line in lines if not wanted.has_document(line)]
    if len(kept) == len(lines):
        return step
    for line in lines:
        if wanted.has_document(line):
            record.add_document(_KIND_OF_DROPPED, {"text": "", **line})
    with zstandard.open(staging.replacement(path), "wb") as file:
        for line in kept:
            file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    return replace(step, examples=examples(kept))


def _describe(folder: Path, built: Built, staging: Staging) -> None:
    """The summary, and what describes the data set, anew."""
    built.write(staging.replacement(folder / SUMMARY))
    for name, content in description(built).items():
        staging.replacement(folder / name).write_text(content, encoding="utf-8")


def _parquet_rows(path: Path) -> Iterable[Row]:
    rows: list[Row] = pq.read_table(path).to_pylist()
    return rows


def _jsonl_rows(path: Path) -> Iterator[Row]:
    for row in read_records(path, orjson.loads):
        yield row | {name: datetime.fromisoformat(row[name]) for name in MOMENTS if row.get(name)}


_READERS: Final = {"parquet": _parquet_rows, "jsonl": _jsonl_rows}
