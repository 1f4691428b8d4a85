"""Pages whose blocks have given probabilities, and what is kept of them by their structures."""

from __future__ import annotations

import numpy as np

from extraction import parse
from extraction.methods.boosted_blocks.batch import Batch
from extraction.methods.boosted_blocks.decoding import Policy
from extraction.methods.boosted_blocks.page_judgement import Likeness
from extraction.methods.boosted_blocks.structures import decide_structures
from extraction.methods.boosted_blocks.view import PageView, all_blocks

SURE, LIKELY, UNLIKELY, NEVER = 0.9, 0.6, 0.2, 0.01
OTHER, ARTICLE, DOCUMENTATION = Likeness(False, False), Likeness(True, False), Likeness(True, True)
PROSE = "word " * 40
TABLE = (
    "<table><caption>Limits</caption><thead><tr><th>Item<th>Most<tbody>"
    "<tr><td>columns<td>1,600<tr><td>keys<td>32</table>"
)
CELLS = ["Limits", "Item", "Most", "columns", "1,600", "keys", "32"]
LISTING = "<pre>print(1)</pre>"


def view_of(html: str) -> PageView:
    (page,) = Batch([all_blocks(parse(html))]).views
    return page


def kept_of(html: str, chances: dict[str, float], of: Likeness = DOCUMENTATION) -> list[str]:
    """The kept texts, by their first words; ``chances`` are by text, SURE for prose."""
    page = view_of(html)
    probabilities = np.array(
        [chances.get(text, SURE if len(text) > 100 else NEVER) for text in page.texts]
    )
    kept = decide_structures(probabilities, page, Policy(), of)
    return [page.texts[block].split("word")[0] or "…" for block in np.flatnonzero(kept)]
