"""``repeated-lines``: lines that many documents have, such as notes under every article."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep
from pydantic import Field

from corpus_commons.markup.words import count_words
from refinery.blocks.documents import host_of
from refinery.steps.base import Judge, OverallStep, Task, Work
from refinery.steps.ranking import digest
from refinery.steps.text_blocks import Block, are_apart, blocks_of

Scope = Literal["host", "corpus"]
Digests = np.ndarray[tuple[int], np.dtype[np.uint64]]

LINES_REMOVED: Final = "lines_removed"
"""The key of the metadata with the number of lines that were taken out."""

_LINES, _REPEATED = "lines", "repeated.npy"
# Digests that are counted in memory at a time.
_AT_ONCE: Final = 2**23


class RepeatedLines(OverallStep):
    """Takes out paragraphs and lists of which every line stands in many documents, and drops
    documents of which little is left. Tables, fenced code, indented lines and what is next to them
    stay. What pages have in common for another reason goes: a heading, a short answer or, in plain
    text, a command that is not indented. It belongs after `near-duplicates`: in many copies of one
    page, all lines are repeated, and not one copy would be left.
    """

    changes_texts = True

    use: Literal["repeated-lines"] = "repeated-lines"
    """The step's name."""
    within: Scope = "host"
    """Where a line is repeated: in documents of one `host`, or of the whole `corpus`."""
    documents: Annotated[int, Field(ge=2)] = 5
    """In so many documents a line counts as repeated."""
    min_words: Annotated[int, Field(ge=0)] = 20
    """The words that must be left of a document from which lines were taken."""

    def prepare(self, work: Work) -> None:
        work.over_documents(_LineDigests(work.state / _LINES, self.within))
        files = sorted((work.state / _LINES).glob("*.npy"))
        np.save(work.state / _REPEATED, _repeated(files, self.documents))

    def judge(self, task: Task) -> Judge:
        repeated = np.load(task.state / _REPEATED, mmap_mode="r")

        def judge(_: int, document: Document) -> str | None:
            blocks = blocks_of(document.text)
            found = self._repeated(document, repeated)
            kept, removed = [], 0
            for block, is_apart in zip(blocks, are_apart(blocks), strict=True):
                lines = _lines(block)
                if is_apart and found.issuperset(lines):
                    removed += len(lines)
                else:
                    kept += block
            if not removed:
                return None
            text = "\n".join(kept).strip("\n")
            if count_words(text) < self.min_words:
                return "repeated-lines"
            before = document.metadata.get(LINES_REMOVED) or 0
            document.metadata[LINES_REMOVED] = before + removed
            document.text = text
            return None

        return judge

    def _repeated(self, document: Document, repeated: Digests) -> set[str]:
        """Which of its lines are."""
        scope = _scope(document, self.within)
        lines = _lines(document.text.split("\n"))
        keys = np.array([_key(scope, line) for line in lines], np.uint64)
        return set(compress(lines, _are_in(repeated, keys)))


class _LineDigests(PipelineStep):
    """Writes a digest for each line of each document, once a document, in ascending order."""

    type = "🏁 - RANKING"
    name = "lines"

    def __init__(self, folder: Path, within: Scope) -> None:
        super().__init__()
        self.folder, self.within = folder, within

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        parts = [np.empty(0, np.uint64)]
        for document in data:
            scope = _scope(document, self.within)
            keys = {_key(scope, line) for line in _lines(document.text.split("\n"))}
            parts.append(np.fromiter(keys, np.uint64, len(keys)))
            yield document
        self.folder.mkdir(parents=True, exist_ok=True)
        np.save(self.folder / f"{rank:05d}.npy", np.sort(np.concatenate(parts)))


def _repeated(files: Sequence[Path], least: int) -> Digests:
    """What the files have at least so many times together, in ascending order as they have it.

    It is counted range by range, since a corpus has more lines than a machine has memory.
    """
    total = sum(np.load(file, mmap_mode="r").size for file in files)
    ranges = max(1, -(-total // _AT_ONCE))
    found = []
    for number in range(ranges):
        first, last = number * 2**64 // ranges, (number + 1) * 2**64 // ranges - 1
        parts = [_between(np.load(file, mmap_mode="r"), first, last) for file in files]
        lines, counts = np.unique(np.concatenate(parts), return_counts=True)
        found.append(lines[counts >= least])
    return np.concatenate(found)


def _between(ordered: Digests, first: int, last: int) -> Digests:
    """A copy of those from the first to the last, which are included."""
    begin = np.searchsorted(ordered, np.uint64(first), "left")
    end = np.searchsorted(ordered, np.uint64(last), "right")
    return np.array(ordered[begin:end])


def _are_in(ordered: Digests, keys: Digests) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether each of the keys is there."""
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = np.searchsorted(
        ordered, keys, "left"
    ) < np.searchsorted(ordered, keys, "right")
    return found


def _lines(block: Block) -> list[str]:
    """Those that are not blank."""
    return [line for line in block if line.strip()]


def _scope(document: Document, within: Scope) -> str:
    return host_of(document) if within == "host" else ""


def _key(scope: str, line: str) -> int:
    return digest(f"{scope}\n{' '.join(line.lower().split())}")
