"""What a program has at a moment, and whether it grows."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Final, Self

import numpy as np

from corpus_commons.process_tree import descendants, memory

# Before that share of its pages, a program is still filling its caches.
_WARM: Final = 0.25
# More growth than this, in 100,000 pages, is not flat: a share of the mean, or a number.
_SHARE: Final = 0.05
_NUMBER: Final = 2.0
_STRETCH: Final = 100_000


@dataclass(frozen=True, slots=True)
class Sample:
    """pages: sent by the site so far. seconds: since the run began.

    main, others: MB of memory (PSS) of the crawler's process, and of its children together.
    files, threads: of all of them: open descriptors, among them sockets and pipes, and threads.
    processes: how many there are. disk: MB of the job's folder.
    """

    pages: int
    seconds: float
    main: float
    others: float
    files: int
    threads: int
    processes: int
    disk: float

    @classmethod
    def of(cls, root: int, pages: int, seconds: float, folder: Path) -> Self:
        """Of a process and its descendants."""
        family = descendants(root)
        return cls(
            pages,
            round(seconds, 1),
            memory([root]) / 1e6,
            memory(family[1:]) / 1e6,
            sum(_entries(one, "fd") for one in family),
            sum(_entries(one, "task") for one in family),
            len(family),
            sum(_size(file) for file in folder.rglob("*")) / 1e6,
        )


@dataclass(frozen=True, slots=True)
class Trend:
    """first, last: means of the first and last tenth, after warming up.

    growth: in 100,000 pages, by least squares. is_flat: whether that is next to nothing.
    """

    first: float
    last: float
    growth: float
    is_flat: bool

    @classmethod
    def of(cls, samples: Sequence[Sample], name: str, *, is_counted: bool) -> Self:
        """Of a field of the samples. is_counted: whether it is a number of things, not an amount.

        >>> samples = [Sample(n * 1000, n, 100 + n, 0, 7, 0, 1, 0) for n in range(100)]
        >>> Trend.of(samples, "main", is_counted=False).growth
        100.0
        >>> Trend.of(samples, "files", is_counted=True).is_flat
        True
        """
        pages = np.array([sample.pages for sample in samples], dtype=float)
        values = np.array([getattr(sample, name) for sample in samples], dtype=float)
        is_warm = pages >= _WARM * pages[-1]
        pages, values = pages[is_warm], values[is_warm]
        away = pages - pages.mean()
        square = float(away @ away)
        growth = float(away @ (values - values.mean())) / square * _STRETCH if square else 0.0
        few = max(1, len(values) // 10)
        limit = _NUMBER if is_counted else _SHARE * float(values.mean())
        first, last = float(values[:few].mean()), float(values[-few:].mean())
        return cls(first, last, round(growth, 6), growth <= limit)


def write(file: Path, samples: Sequence[Sample]) -> None:
    """As CSV, for plots."""
    with file.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(field.name for field in fields(Sample))
        writer.writerows(map(astuple, samples))


def _entries(process: int, folder: str) -> int:
    try:
        return sum(1 for _ in Path(f"/proc/{process}/{folder}").iterdir())
    except OSError:  # It has ended.
        return 0


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
