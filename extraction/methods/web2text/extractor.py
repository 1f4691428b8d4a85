"""The extractor: collapse the page, run the networks, decode, keep the blocks with label 1."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from extraction.methods.base import DomExtractor
from extraction.methods.web2text.cdom import CollapsedDom, collapse
from extraction.methods.web2text.decoding import Labels, marginals, viterbi
from extraction.methods.web2text.features import page_features
from extraction.page.segmentation import Segmentation, segment

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from extraction.result import Extraction

MODEL: Final = Path(__file__).with_name("model.npz")


class Web2Text(DomExtractor):
    """Web2Text with the shipped model, or with one that ``extraction train web2text`` made.

    Loading it imports TensorFlow, which takes seconds and some hundred megabytes. Raises
    ImportError if TensorFlow or Keras is missing.
    """

    name = "web2text"

    def __init__(self, model: Path = MODEL) -> None:
        from extraction.methods.web2text.network import Model  # noqa: PLC0415  # TensorFlow

        self._model = Model.load(model)

    def labels(self, cdom: CollapsedDom) -> tuple[Labels, npt.NDArray[np.float64]]:
        """For every leaf, 1 if it is main content, and the probability of that."""
        potentials = self._model.potentials(page_features(cdom))
        weight = self._model.pair_weight
        return viterbi(*potentials, weight), marginals(*potentials, weight)

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        cdom = collapse(dom)
        labels, probabilities = self.labels(cdom)
        kept = np.zeros(len(dom), dtype=np.bool_)
        kept[cdom.leaves[labels == 1]] = True
        segmentation = segment(dom)
        chosen = np.where(labels == 1, probabilities, 1 - probabilities)
        return self.extraction(
            segmentation,
            kept,
            probabilities=_of_blocks(segmentation, cdom, probabilities),
            confidence=float(chosen.mean()) if len(chosen) else None,
        )


def _of_blocks(
    segmentation: Segmentation, cdom: CollapsedDom, probabilities: npt.NDArray[np.float64]
) -> list[float]:
    """The mean over the leaves of every block; 0 for form fields, which have no leaves."""
    block = segmentation.block_of[cdom.leaves]
    total = np.bincount(block, weights=probabilities, minlength=len(segmentation))
    count = np.bincount(block, minlength=len(segmentation))
    means: list[float] = (total / np.maximum(count, 1)).tolist()
    return means
