"""Chooses the best documents of each group, among all documents of a corpus.

Every task writes a table of its documents; then the tables are ranked together, in memory: 36 bytes
a document. Where a copy has to name what was kept, tasks write the ids of their documents, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from crawler.items import moment
from refinery.steps.base import Judge

Best = Literal["longest", "newest"]
Table = np.ndarray[tuple[int], np.dtype[np.void]]
Places = np.ndarray[tuple[int], np.dtype[np.uint64]]
"""Of documents: the task and the number there, as one number."""

_ROW: Final = np.dtype(
    [("group", "<u8"), ("value", "<f8"), ("tie", "<u8"), ("rank", "<u4"), ("number", "<u4")]
)
_DROPPED: Final = "dropped.npy"
_IDS: Final = "ids"

COPY_OF: Final = "copy_of"
"""In the metadata of a dropped copy, the id of the document that was kept instead."""


def digest(text: str) -> int:
    """64 bits; in 10 million texts, the probability of any collision is 3 in a million."""
    return int.from_bytes(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )


def id_of(document: Document) -> str:
    """The id, by which a page is known."""
    return str(document.id)


def value_by(best: Best) -> Callable[[Document], float]:
    """What makes one document better than another."""
    return _length if best == "longest" else _time


def _length(document: Document) -> float:
    return len(document.text)


def _time(document: Document) -> float:
    return moment(document.metadata["fetched_at"]).timestamp()


class RankingTable(PipelineStep):
    """Writes the table of a task, and passes its documents on.

    group: of a document; None if it is in no group. value: the better, the larger.
    """

    type = "🏁 - RANKING"
    name = "table"

    def __init__(
        self,
        folder: Path,
        group: Callable[[Document], str | None],
        value: Callable[[Document], float],
    ) -> None:
        super().__init__()
        self.folder, self.group, self.value = folder, group, value

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        rows: list[tuple[Any, ...]] = []
        for number, document in enumerate(data):
            group = self.group(document)
            if group is not None:
                tie = digest(document.id)
                rows.append((digest(group), self.value(document), tie, rank, number))
            yield document
        self.folder.mkdir(parents=True, exist_ok=True)
        np.save(self.folder / f"{rank:05d}.npy", np.array(rows, dtype=_ROW))


class IdTable(PipelineStep):
    """Writes the ids of a task's documents for ``judge_copies``, and passes the documents on."""

    type = "🏁 - RANKING"
    name = "ids"

    def __init__(self, state: Path) -> None:
        super().__init__()
        self.folder = state / _IDS

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        ids: list[bytes] = []
        for document in data:
            ids.append(document.id.encode("utf-8", "surrogatepass"))
            yield document
        self.folder.mkdir(parents=True, exist_ok=True)
        np.save(self.folder / f"{rank:05d}.npy", np.array(ids, dtype=np.bytes_))


def tables(folder: Path) -> Table:
    """The rows of all tasks, in order of these and of their documents."""
    found = [
        np.load(path) for path in sorted(folder.glob("*.npy"), key=lambda path: int(path.stem))
    ]
    return np.concatenate(found) if found else np.empty(0, dtype=_ROW)


def places(rows: Table) -> Places:
    """Where each document is."""
    found: Places = rows["rank"].astype(np.uint64) << np.uint64(32) | rows["number"]
    return found


def drop_all_but(rows: Table, most: int, state: Path) -> Table:
    """Write down which documents are not among the best of their group, with the best of all, and
    return their rows. Ties go by id and place.
    """
    ordered = rows[
        np.lexsort((rows["number"], rows["rank"], rows["tie"], -rows["value"], rows["group"]))
    ]
    begins = np.flatnonzero(np.r_[True, ordered["group"][1:] != ordered["group"][:-1]])
    sizes = np.diff(np.r_[begins, len(ordered)])
    first = np.repeat(begins, sizes)
    is_lost = np.arange(len(ordered)) - first >= most
    lost, best = ordered[is_lost], ordered[first[is_lost]]
    by_task = np.argsort(lost["rank"], kind="stable")
    lost, best = lost[by_task], best[by_task]
    state.mkdir(parents=True, exist_ok=True)
    columns = (rows[name] for rows in (lost, best) for name in ("rank", "number"))
    np.save(state / _DROPPED, np.stack([*columns]))
    return lost


def judge_by(state: Path, rank: int, reason: str) -> Judge:
    """Drops what ``drop_all_but`` has written down."""
    dropped = _dropped(state, rank)
    return lambda number, _: reason if number in dropped else None


def judge_copies(state: Path, rank: int, reason: str) -> Judge:
    """The same, and those that are dropped name the best of their group (COPY_OF), by the ids that
    ``IdTable`` has written.
    """
    dropped = _dropped(state, rank)
    # Few ids of each task are asked for, so they are not loaded.
    ids = cache(lambda task: np.load(state / _IDS / f"{task:05d}.npy", mmap_mode="r"))

    def judge(number: int, document: Document) -> str | None:
        if number not in dropped:
            return None
        task, best = dropped[number]
        document.metadata[COPY_OF] = ids(task)[best].decode("utf-8", "surrogatepass")
        return reason

    return judge


def _dropped(state: Path, rank: int) -> dict[int, tuple[int, int]]:
    """The numbers of what a task drops, each with the place of the best of its group."""
    # Most of the file is of other tasks, so it is not loaded.
    ranks, numbers, *best = np.load(state / _DROPPED, mmap_mode="r")
    begin, end = np.searchsorted(ranks, np.array([rank, rank + 1], dtype=ranks.dtype))
    mine = slice(begin, end)
    tasks, places_there = (column[mine].tolist() for column in best)
    return dict(zip(numbers[mine].tolist(), zip(tasks, places_there, strict=True), strict=True))
