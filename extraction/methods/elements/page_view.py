"""The data that the models' features are computed from: a page's elements and images."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import Measures
from extraction.methods.elements.ancestry import Ancestry
from extraction.methods.elements.image_features import image_features, image_names
from extraction.methods.elements.linear import TextWords
from extraction.methods.elements.text_elements import text_elements
from extraction.methods.elements.text_features import text_features
from extraction.page.images import image_nodes

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]


class PageView:
    """The parts of a page, computed on first use.

    elements: the text elements; images: the ``img`` nodes.
    """

    def __init__(self, dom: Dom) -> None:
        self.dom = dom
        self.elements = text_elements(dom)
        self.images = image_nodes(dom)
        self.ancestry = Ancestry(dom)
        self.measures = Measures(dom)

    @cached_property
    def text_rows(self) -> Rows:
        """Shape (elements, features)."""
        return text_features(self.elements, self.ancestry, self.measures)

    @cached_property
    def text_words(self) -> TextWords:
        return TextWords.of(self.elements.texts)

    @cached_property
    def image_words(self) -> TextWords:
        return TextWords.of(image_names(self.dom, self.images))

    def image_rows(self, probabilities: Floats) -> Rows:
        """Shape (images, features); probabilities: one per text element."""
        return image_features(
            self.images, self.elements, probabilities, self.ancestry, self.measures
        )
