"""How far every block is from the nearest of some places on its page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.batch import Batch, Columns

NONE: Final = 999
"""The distance of a place that the page does not have."""


def nearest(
    batch: Batch, places: npt.NDArray[np.number], pages: npt.NDArray[np.integer]
) -> tuple[Floats, Floats]:
    """The nearest place before every block, and after it; NaN if its page has none there.

    places: ascending, counted in blocks of the batch. pages: of every place.
    """
    blocks = np.arange(len(batch))
    before = np.searchsorted(places, blocks, side="left") - 1
    after = np.searchsorted(places, blocks, side="right")
    # The appended entry, with the index -1, stands for no place.
    places, pages = np.append(places, np.nan), np.append(pages, -1)
    return (
        np.where(pages[before] == batch.page_of, places[before], np.nan),
        np.where(pages[after] == batch.page_of, places[after], np.nan),
    )


def distances(name: str, before: Floats, after: Floats) -> Columns:
    """Features of the blocks of a batch, from the answer of ``nearest``."""
    blocks = np.arange(len(before))
    return {
        f"blocks-since-{name}": np.nan_to_num(blocks - before, nan=NONE),
        f"blocks-to-{name}": np.nan_to_num(after - blocks, nan=NONE),
    }
