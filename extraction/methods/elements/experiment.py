"""Cross-validation and training of the models on labelled pages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import orjson

from corpus_commons.terminal.output import writing_to
from extraction.methods.elements.extractor import Elements, kept_nodes
from extraction.methods.elements.fitting import Settings, cross_validated, fit
from extraction.methods.elements.model import Model
from extraction.methods.elements.page_view import PageView
from extraction.methods.elements.samples import (
    Sample,
    image_sample,
    parsed_pages,
    text_sample,
)
from extraction.methods.elements.scores import Scores, scores_by_kind
from extraction.methods.elements.text_elements import KINDS
from extraction.page.blocks import join
from extraction.page.segmentation import segment

Floats = npt.NDArray[np.float64]

# Chosen by cross-validation: for the F1 of a page's text, recall matters more than for elements.
_TEXT_THRESHOLD: Final = 0.4
_IMAGE_THRESHOLD: Final = 0.5
_GROUPS: Final = ("small or medium", "large", "unknown")


class Experiment:
    """Labelled pages, with out-of-fold predictions by models that were trained without their sites.

    Images are classified after the text, so their features use the text's out-of-fold
    probabilities, both in cross-validation and for training the final model. (The text models
    behind the image features of the training folds were trained on text of the test fold, which
    makes the scores of images slightly optimistic.)
    """

    def __init__(self, files: list[Path], seed: int) -> None:
        self.files = files
        self.text_settings = Settings("text", _TEXT_THRESHOLD, seed)
        self.image_settings = Settings("images", _IMAGE_THRESHOLD, seed)

    @cached_property
    def texts(self) -> list[Sample]:
        return [
            text_sample(data_set, page, PageView(dom))
            for data_set, page, dom in parsed_pages(self.files)
        ]

    @cached_property
    def text_probabilities(self) -> list[Floats]:
        return cross_validated(self.texts, self.text_settings)

    @cached_property
    def images(self) -> list[Sample]:
        pages = zip(self.texts, self.text_probabilities, self._views(), strict=True)
        return [image_sample(text, view, probabilities) for text, probabilities, view in pages]

    @cached_property
    def image_probabilities(self) -> list[Floats]:
        return cross_validated(self.images, self.image_settings)

    def scores(self) -> dict[str, dict[str, dict[str, Scores]]]:
        """Scores by data set, by ``text`` or ``images``, and by kind of element or size group.

        ``rule``, for data sets in which annotators marked images: how well the rule that labels
        images in the other data sets agrees with the annotators.
        """
        sets = dict.fromkeys(sample.data_set for sample in self.texts)
        return {data_set: self._scores_of(data_set) for data_set in sets}

    def _scores_of(self, data_set: str) -> dict[str, dict[str, Scores]]:
        inside = [i for i, sample in enumerate(self.texts) if sample.data_set == data_set]
        texts = [self.texts[i] for i in inside]
        images = [self.images[i] for i in inside]
        by_rule = [np.asarray(image.by_rule, dtype=np.float64) for image in images]
        scores = {
            "text": scores_by_kind(
                texts, [self.text_probabilities[i] for i in inside], _TEXT_THRESHOLD, KINDS
            ),
            "images": scores_by_kind(
                images, [self.image_probabilities[i] for i in inside], _IMAGE_THRESHOLD, _GROUPS
            ),
        }
        if any(image.by_rule is not image.labels and (image.labels >= 0).any() for image in images):
            scores["rule"] = scores_by_kind(images, by_rule, 0.5, _GROUPS)
        return scores

    def model(self) -> Model:
        """The model trained on all pages."""
        return Model(fit(self.texts, self.text_settings), fit(self.images, self.image_settings))

    def write_texts(self, file: Path) -> None:
        """Write the out-of-fold text of every page, one per line, for ``evaluation``."""
        pages = zip(self.texts, self.text_probabilities, self._views(), strict=True)
        with writing_to(file), file.open("wb") as lines:
            for sample, probabilities, view in pages:
                kept = kept_nodes(view.elements, probabilities >= _TEXT_THRESHOLD)
                text = join(segment(view.dom).kept_blocks(kept))
                line = {"id": sample.id, "set": sample.data_set, "method": Elements.name}
                lines.write(orjson.dumps(line | {"text": text, "seconds": None, "error": None}))
                lines.write(b"\n")

    def _views(self) -> Iterator[PageView]:
        for _, _, dom in parsed_pages(self.files):
            yield PageView(dom)
