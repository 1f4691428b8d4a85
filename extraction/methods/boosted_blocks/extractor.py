"""The method ``boosted-blocks``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from extraction.methods.base import DomExtractor, Parsed
from extraction.methods.boosted_blocks.batch import Batch
from extraction.methods.boosted_blocks.model import Model, Reading, load
from extraction.methods.boosted_blocks.page_judgement import genre_scores
from extraction.methods.boosted_blocks.site import PageOnSite
from extraction.methods.boosted_blocks.view import all_blocks
from extraction.result import Extraction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpus_commons.markup.dom import Dom
    from extraction.page.segmentation import Segmentation
    from extraction.page_marks import PageMarks

SHIPPED_MODEL = Path(__file__).with_name("model.zst")


class BoostedBlocks(DomExtractor):
    """Labels blocks with boosted trees; ``confidence`` is the expected word F1 (None without text).

    If the genre is given, it is used: the trees only distinguish articles from other pages, the
    decision what to keep depends on the page type.
    """

    name = "boosted-blocks"
    drops_comments: ClassVar[bool] = True
    judges_pages: ClassVar[bool] = True
    refuses_empty_pages: ClassVar[bool] = True
    uses_sites: ClassVar[bool] = True

    def __init__(self, model: Model | None = None) -> None:
        self._model = model or load(SHIPPED_MODEL)

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        (found,) = self.extract_doms([Parsed(dom, url, genre)])
        return found

    def extract_doms(self, pages: Sequence[Parsed]) -> list[Extraction]:
        found = [Extraction("", method=self.name)] * len(pages)
        blocks_of = _blocks_of(enumerate(pages))
        if not blocks_of:
            return found
        batch = Batch([*blocks_of.values()])
        readings = self._model.read(batch, [pages[number] for number in blocks_of])
        for (number, blocks), reading in zip(blocks_of.items(), readings, strict=True):
            found[number] = self._kept(blocks, reading)
        return found

    def marks(self, pages: Sequence[Parsed]) -> list[PageMarks | None]:
        found: list[PageMarks | None] = [None] * len(pages)
        blocks_of = _blocks_of(page for page in enumerate(pages) if not self._refused(page[1]))
        if not blocks_of:
            return found
        batch = Batch([*blocks_of.values()])
        judged = self._model.probabilities(batch, [pages[number] for number in blocks_of])
        for number, view, probabilities in zip(blocks_of, batch.views, judged, strict=True):
            found[number] = PageOnSite.of(view, pages[number].url).marks(probabilities)
        return found

    def _kept(self, segmentation: Segmentation, reading: Reading) -> Extraction:
        found = self.extraction(
            segmentation,
            # Nodes outside all blocks have the index -1, which is the appended entry.
            np.append(reading.kept, False)[segmentation.block_of],
            probabilities=reading.probabilities.tolist(),
            confidence=reading.confidence,
        )
        return replace(
            found,
            page_type_scores=reading.type_scores,
            genre_scores=genre_scores(reading.type_scores),
            marks=reading.marks,
            site_pages=reading.site_pages,
        )


def _blocks_of(pages: Iterable[tuple[int, Parsed]]) -> dict[int, Segmentation]:
    """The blocks of those numbered pages that have any."""
    every = {number: all_blocks(page.dom) for number, page in pages}
    return {number: blocks for number, blocks in every.items() if len(blocks)}
