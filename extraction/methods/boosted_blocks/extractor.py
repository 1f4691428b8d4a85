"""The method ``boosted-blocks``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from extraction.base import DomExtractor
from extraction.methods.boosted_blocks.decoding import decide
from extraction.methods.boosted_blocks.model import load
from extraction.methods.boosted_blocks.view import view
from extraction.result import Extraction

if TYPE_CHECKING:
    from markup.dom import Dom

SHIPPED_MODEL = Path(__file__).with_name("model.zst")


class BoostedBlocks(DomExtractor):
    """Labels blocks by boosted trees; ``confidence`` is the F1 of words that they promise."""

    name = "boosted-blocks"

    def __init__(self, model: Path = SHIPPED_MODEL) -> None:
        self._model = load(model)

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        page = view(dom)
        if page is None:
            return Extraction("", method=self.name, confidence=1.0)
        probabilities = self._model.probabilities(page)
        decision = decide(probabilities, page.words)
        block_of = page.segmentation.block_of
        # Nodes outside all blocks have the index -1, the entry added at the end.
        kept = np.append(decision.kept, False)[block_of]
        return self.extraction(
            page.segmentation,
            kept,
            probabilities=probabilities.tolist(),
            confidence=decision.expected_f1,
        )
