"""The method ``boosted-blocks``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from extraction.base import DomExtractor
from extraction.methods.boosted_blocks.model import Model, load
from extraction.methods.boosted_blocks.page_judgement import genre_scores
from extraction.methods.boosted_blocks.site import of_site
from extraction.methods.boosted_blocks.view import view
from extraction.result import Extraction

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from extraction.site_memory import SiteMemory

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

    def __init__(self, model: Model | None = None) -> None:
        self._model = model or load(SHIPPED_MODEL)

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        return self.extract_on_site(dom, None, url=url, genre=genre)

    def extract_on_site(
        self, dom: Dom, site: SiteMemory | None, *, url: str | None, genre: str | None
    ) -> Extraction:
        page = view(dom)
        if page is None:
            return Extraction("", method=self.name)
        reading = self._model.read(page, genre, of_site(site, page, url))
        found = self.extraction(
            page.segmentation,
            # Nodes outside all blocks have the index -1, which is the appended entry.
            np.append(reading.kept, False)[page.segmentation.block_of],
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
