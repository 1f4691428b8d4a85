"""All visible text, the baseline that GOCE calls "default"."""

from __future__ import annotations

from corpus_commons.markup.dom import Dom
from extraction.methods.base import DomExtractor
from extraction.page.segmentation import segment
from extraction.result import Extraction


class AllText(DomExtractor):
    name = "all-text"

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        segmentation = segment(dom)
        return self.extraction(segmentation, segmentation.block_of >= 0)
