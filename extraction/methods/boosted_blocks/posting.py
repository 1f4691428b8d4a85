"""Signs of readers' posts, whatever their names: dates, and fields to write in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from extraction.methods.boosted_blocks.arrays import Singles
    from extraction.methods.boosted_blocks.batch import Batch, Columns

# A time of day; a date in figures, also with Chinese signs; day, month and year in any order of the
# first two. A year alone is no date: tables have many.
_DATE: Final = re.compile(
    r"(?<!\d)[0-2]?\d:[0-5]\d(?!\d)"
    r"|(?<!\d)\d{1,4}([-/.])\d{1,2}\1\d{1,4}(?!\d)"
    r"|\d{1,2}\s*月\s*\d{1,2}"
    r"|(?<!\d)\d{1,2}\D{2,15}(?:19|20)\d\d(?!\d)"
    r"|[^\W\d]{3,12}\W{1,3}\d{1,2}\D{1,4}(?:19|20)\d\d(?!\d)"
)
_LEAST_DIGITS: Final = 3
# In longer texts, a date is part of what they say.
_MOST_WORDS: Final = 20
_NONE: Final = 999


def columns(batch: Batch) -> Columns:
    """Whether every block has a date, and how far dates and fields are; and what the page has."""
    dated = np.flatnonzero(batch.dates)
    fields = batch.tree.elements("textarea")
    pages = batch.tree.page_of[fields]
    of_pages = {
        "dates": batch.of_pages(batch.dates) / np.bincount(batch.page_of),
        "fields": np.bincount(pages, minlength=len(batch.starts)),
    }
    return {
        "date": batch.dates,
        **_distances(batch, "date", dated, batch.page_of[dated]),
        # A field is between two blocks.
        **_distances(batch, "field", np.searchsorted(batch.firsts, fields) - 0.5, pages),
        **{f"page.{name}": values[batch.page_of] for name, values in of_pages.items()},
    }


def dates_of(texts: Sequence[str], words: Singles, digits: Singles) -> Singles:
    """1 for every short text with a date or a time of day, 0 for others.

    words, digits: their number in every text.
    """
    dates = np.zeros(len(texts), dtype=np.float32)
    for block in np.flatnonzero((words <= _MOST_WORDS) & (digits >= _LEAST_DIGITS)).tolist():
        dates[block] = _DATE.search(texts[block]) is not None
    return dates


def _distances(
    batch: Batch, name: str, places: npt.NDArray[np.number], pages: npt.NDArray[np.integer]
) -> Columns:
    """How many blocks before and after every block the nearest of some places is on its page.

    places: ascending, counted in blocks of the batch. pages: of every place.
    """
    blocks = np.arange(len(batch))
    # No place is on page -1.
    places, pages = np.append(places, np.inf), np.append(pages, -1)
    after = np.searchsorted(places[:-1], blocks, side="right")
    before = np.searchsorted(places[:-1], blocks, side="left") - 1
    return {
        f"blocks-since-{name}": np.where(
            pages[before] == batch.page_of, blocks - places[before], _NONE
        ),
        f"blocks-to-{name}": np.where(pages[after] == batch.page_of, places[after] - blocks, _NONE),
    }
