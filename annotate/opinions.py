"""What the machine says of a page: its kind, and which of its blocks are main content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
import orjson

from annotate.labels import KINDS
from annotate.sources import SourcePage
from corpus_commons.markup.dom import parse
from corpus_commons.markup.tree import BoolArray
from extraction.formats.writing import written
from extraction.methods.base import DomExtractor
from extraction.methods.boosted_blocks.extractor import BoostedBlocks
from extraction.methods.boosted_blocks.model import load
from extraction.methods.boosted_blocks.view import all_blocks
from extraction.output import Output
from extraction.page.blocks import join
from extraction.page.segmentation import Segmentation
from genre_model.html.classifier import HtmlClassifier
from genre_model.prediction import Prediction
from genre_model.stacking import Stacking

_WITH_SELECTION: Final = Output(selection=True)


@dataclass(frozen=True, eq=False)
class PageBlocks:
    """The blocks of a page, hidden ones, too, and for each whether the machine keeps it."""

    segmentation: Segmentation
    kept: BoolArray

    @cached_property
    def fingerprint(self) -> str:
        """Of the texts of the blocks: labels of other blocks do not belong to them."""
        texts = orjson.dumps([text.encode("utf-8", "replace").decode() for text in self.texts])
        return blake2b(texts, digest_size=8).hexdigest()

    @property
    def texts(self) -> list[str]:
        return self.segmentation.texts

    def document(self, chosen: BoolArray) -> str:
        """The document that the chosen blocks make. chosen: (blocks,)."""
        # Nodes outside all blocks have the index -1, which is the appended entry.
        kept = np.append(chosen, False)[self.segmentation.block_of]
        return join(self.segmentation.kept_blocks(kept))


@dataclass(frozen=True, slots=True)
class Opinion:
    """kind: genre and page type with their scores. confidence: the extractor's, in [0, 1]."""

    kind: Prediction
    confidence: float

    def doubt(self, task: str) -> float:
        """How much a person's answer is needed, in [0, 1]."""
        best = max(self.kind.page_type_scores.values(), default=0.0)
        return 1 - (best if task == KINDS else self.confidence)


class Machine:
    """The shipped models, or a model for blocks that `genre-crawler train` wrote.

    Raises ValueError for a file that is no such model.
    """

    def __init__(self, model: Path | None = None) -> None:
        self._extractor: DomExtractor = BoostedBlocks(None if model is None else load(model))
        self._classifier = HtmlClassifier.shipped()
        self._stacking = Stacking.shipped() if model is None else None

    def opinion(self, page: SourcePage) -> Opinion:
        """Raises ValueError for a page that cannot be parsed."""
        dom = parse(page.html)
        found = self._extractor.extract_dom(dom, url=page.url, genre=None)
        (kind,) = self._classifier.predict([dom], [page.url])
        if self._stacking is not None:
            kind = self._stacking.weigh(kind, found.page_type_scores)
        return Opinion(kind, found.confidence or 0.0)

    def blocks(self, page: SourcePage) -> PageBlocks:
        """Readers' comments are not kept. Raises ValueError for a page that cannot be parsed."""
        dom = parse(page.html)
        read = self._extractor.extract_dom(dom, url=page.url, genre=None)
        found = written(read, _WITH_SELECTION, drops_comments=True)
        if found.selection is None:
            segmentation = all_blocks(dom)
            return PageBlocks(segmentation, np.zeros(len(segmentation), dtype=np.bool_))
        return PageBlocks(found.selection.segmentation, found.selection.has_kept())


def ranked(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    """Labels and scores, the most probable first."""
    return sorted(scores.items(), key=lambda item: -item[1])
