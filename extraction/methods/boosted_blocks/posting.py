"""Signs of readers' posts, whatever their names: dates, and fields to write in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.methods.boosted_blocks.distances import distances, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        **distances("date", *nearest(batch, dated, batch.page_of[dated])),
        # A field is between two blocks.
        **distances("field", *nearest(batch, np.searchsorted(batch.firsts, fields) - 0.5, pages)),
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
