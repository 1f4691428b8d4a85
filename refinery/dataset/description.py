"""The files of a data set that describe it: its cards, its report, and ``croissant.json``.

They are written when it is made, and again when documents are removed.
"""

from __future__ import annotations

from typing import Final

from refinery.dataset.account import Built
from refinery.dataset.card import data_card, lines_card
from refinery.dataset.croissant import CROISSANT, FORMAT, croissant
from refinery.dataset.layout import FOLDERS
from refinery.dataset.report import report_html

_CARD: Final = "README.md"


def description(built: Built) -> dict[str, str]:
    """Their contents, by their paths in the data set."""
    formats = built.recipe["formats"]
    return {
        _CARD: data_card(built),
        "report.html": report_html(built),
        **({f"{FOLDERS['jsonl']}/{_CARD}": lines_card(built)} if "jsonl" in formats else {}),
        **({CROISSANT: croissant(built)} if FORMAT in formats else {}),
    }
