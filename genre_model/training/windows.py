"""The screenshots of a data set in memory, at a slightly higher resolution than the network's."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus_commons.terminal.progress import watched
from genre_model.samples import shot_path
from genre_model.screenshot import Pixels, decode_top

# Augmentation can zoom in by this factor without loss.
FINER = 1.2


@dataclass(frozen=True, slots=True)
class Windows:
    """Pages of different heights, concatenated in one array.

    rows: the pixels of all pages, (sum of heights, width, 3).
    starts: where each page begins, and the end of the last one.
    """

    rows: Pixels
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, index: int) -> Pixels:
        return self.rows[self.starts[index] : self.starts[index + 1]]

    @property
    def width(self) -> int:
        return int(self.rows.shape[1])

    @property
    def heights(self) -> NDArray[np.int64]:
        """The rows of every page."""
        return np.diff(self.starts)

    def of(self, pages: NDArray[np.int64]) -> Windows:
        """Some of the pages, in the order given."""
        return joined([self[page] for page in pages.tolist()], self.width)


def joined(tops: Sequence[Pixels], width: int) -> Windows:
    """Pages of the same width, concatenated."""
    starts = np.concatenate([[0], np.cumsum([len(top) for top in tops], dtype=np.int64)])
    return Windows(np.concatenate([np.zeros((0, width, 3), np.uint8), *tops]), starts)


def chained(first: Windows, second: Windows) -> Windows:
    """The pages of both, which have the same width."""
    starts = np.concatenate((first.starts, second.starts[1:] + first.starts[-1]))
    return Windows(np.concatenate((first.rows, second.rows)), starts)


def read_windows(
    folder: Path, ids: Sequence[str], size: tuple[int, int], finer: float = FINER
) -> Windows:
    """The tops of the pages' screenshots.

    size: (height, width) of the network's input; the pages are kept ``finer`` times as large.
    Raises ValueError, naming the screenshot, if one is missing or cannot be read.
    """
    height, width = (round(side * finer) for side in size)

    def top(page_id: str) -> Pixels:
        path = shot_path(folder, page_id)
        try:
            return decode_top(path.read_bytes(), width, height)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from error

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        tops = list(watched(threads.map(top, ids), len(ids), "screenshots read"))
    return joined(tops, width)
