"""The element classifier as an extractor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from extraction.methods.base import DomExtractor
from extraction.methods.elements.model import Model, load
from extraction.methods.elements.page_view import PageView
from extraction.methods.elements.text_elements import OTHER, TextElements
from extraction.page.addresses import UrlBudget, base_url
from extraction.page.images import image_at
from extraction.page.segmentation import segment

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from extraction.page.images import Image
    from extraction.result import Extraction

SHIPPED = Path(__file__).parent / "model"

Floats = npt.NDArray[np.float64]


class Elements(DomExtractor):
    """Keeps the text elements and the images that a trained model classifies as main content.

    After Yunis, *Content Extraction from Webpages Using Machine Learning* (2016).

    model: by default the shipped one.
    other_text: whether text outside the thesis's kinds of element is classified, too; if not, it is
        dropped, as in the thesis.
    """

    name = "elements"

    def __init__(self, model: Model | None = None, *, other_text: bool = True) -> None:
        self.model = load(SHIPPED) if model is None else model
        self.other_text = other_text

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        page = PageView(dom)
        probabilities = self.model.text_probabilities(page)
        elements = page.elements
        kept = probabilities >= self.model.text.threshold
        if not self.other_text:
            kept &= elements.kinds != OTHER
        segmentation = segment(dom)
        return self.extraction(
            segmentation,
            kept_nodes(elements, kept),
            probabilities=np.append(probabilities, 0.0)[
                elements.element_of[segmentation.firsts]
            ].tolist(),
            confidence=_expected_f1(page, probabilities, kept),
            images=self._images(page, self.model.image_probabilities(page, probabilities), url),
        )

    def _images(self, page: PageView, probabilities: Floats, url: str | None) -> tuple[Image, ...]:
        kept = probabilities >= self.model.images.threshold
        if not kept.any():
            return ()
        base, budget = base_url(page.dom, url), UrlBudget()
        found = [
            image_at(page.dom, node, base, probability)
            for node, probability in zip(
                page.images[kept].tolist(), probabilities[kept].tolist(), strict=True
            )
        ]
        distinct = dict.fromkeys(image for image in found if image is not None)
        return tuple(image for image in distinct if budget.takes(image.url))


def kept_nodes(elements: TextElements, kept: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """For every node, whether it is a text node of a kept element."""
    return np.append(kept, False)[elements.element_of]


def _expected_f1(page: PageView, probabilities: Floats, kept: npt.NDArray[np.bool_]) -> float:
    """The expected word F1, computed from the probabilities; 0 for a page without words."""
    words = page.elements.own_sums(page.measures.own_words)
    right = (words * probabilities)[kept].sum()
    claimed = words[kept].sum() + (words * probabilities).sum()
    return float(min(1.0, 2 * right / claimed)) if claimed else 0.0
