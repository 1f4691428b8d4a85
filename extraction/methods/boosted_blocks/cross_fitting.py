"""Cross-fitting: whatever judges a page in training was trained without the page's site."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from corpus_commons.kinds import KINDS
from corpus_commons.markup.dom import parse
from extraction.methods.boosted_blocks.extractor import BoostedBlocks
from extraction.methods.boosted_blocks.fitting import BlockClassifier, fit_classifier, fit_model
from extraction.methods.boosted_blocks.held_out import HeldOut
from extraction.methods.boosted_blocks.model import model_of
from extraction.methods.boosted_blocks.site_fitting import site_memories
from extraction.result import ExtractionError
from extraction.source import Page
from genre_model.html.classifier import HtmlClassifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy.typing as npt

    from corpus_commons.markup.dom import Dom
    from extraction.methods.boosted_blocks.arrays import Floats
    from extraction.methods.boosted_blocks.lexicon_fitting import Vocabulary
    from extraction.methods.boosted_blocks.model import Contents
    from extraction.methods.boosted_blocks.samples import Sample

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CrossFitting:
    """Pages with blocks, the fold of each, and the training settings.

    page_types: out-of-fold predictions by the id of the page.
    """

    pages: Sequence[Sample]
    folds: npt.NDArray[np.intp]
    vocabulary: Vocabulary
    trees: int
    seed: int
    page_types: Mapping[str, Mapping[str, float]]

    def model(self) -> Contents:
        """The model trained on all pages."""
        return self._model(np.arange(len(self.pages)), self._fit(self.pages))

    def held_out(self, *, tell_genre: bool, site_memory: bool) -> Iterator[HeldOut]:
        """Every page, extracted with the model that was trained without its fold.

        site_memory: whether every page is extracted once more, with the other pages of its site.
        """
        memories = site_memories(self.pages, self._unseen) if site_memory else {}
        for fold, classifier in self._by_fold.items():
            extractor = BoostedBlocks(
                model_of(self._model(np.flatnonzero(self.folds != fold), classifier))
            )
            for place in np.flatnonzero(self.folds == fold).tolist():
                sample = self.pages[place]
                is_known = tell_genre and sample.page_type in KINDS
                genre = sample.page_type if is_known else None
                dom = parse(sample.page.html)
                types = self._page_types(sample, dom)
                page = Page(dom, sample.page.url, genre, page_type_scores=types)
                pages = [page, page._replace(site=memories[sample.site])] if site_memory else [page]
                for found, known in zip(extractor.extract_many(pages), pages, strict=True):
                    if isinstance(found, ExtractionError):
                        raise found
                    yield HeldOut(sample, found, known.site is not None)

    def _page_types(self, sample: Sample, dom: Dom) -> Mapping[str, float]:
        """What the HTML classifier says that has not seen the page's site."""
        found = self.page_types.get(sample.page.id)
        # Without the URL: the shipped evidence of URLs has learned from most of the sets.
        return found or HtmlClassifier.shipped().predict([dom])[0].page_type_scores

    @cached_property
    def _by_fold(self) -> dict[int, BlockClassifier]:
        """For every fold, the block classifier trained without it."""
        by_fold = {}
        for fold in sorted(set(self.folds.tolist())):
            seen = np.flatnonzero(self.folds != fold).tolist()
            by_fold[fold] = self._fit([self.pages[place] for place in seen])
            _log.info("fold %d: trained on %d pages", fold + 1, len(seen))
        return by_fold

    @cached_property
    def _unseen(self) -> list[Floats]:
        """The out-of-fold probabilities of every page's blocks."""
        unseen: list[Floats] = [np.empty(0)] * len(self.pages)
        for fold, classifier in self._by_fold.items():
            held = np.flatnonzero(self.folds == fold).tolist()
            found = classifier.probabilities([self.pages[place] for place in held])
            for place, probabilities in zip(held, found, strict=True):
                unseen[place] = probabilities
        return unseen

    def _fit(self, pages: Sequence[Sample]) -> BlockClassifier:
        return fit_classifier(pages, self.vocabulary, trees=self.trees, seed=self.seed)

    def _model(self, places: npt.NDArray[np.intp], classifier: BlockClassifier) -> Contents:
        """The model of this classifier, with page trees trained on the pages at ``places``."""
        return fit_model(
            [self.pages[place] for place in places.tolist()],
            [self._unseen[place] for place in places.tolist()],
            classifier,
            self.vocabulary,
            seed=self.seed,
        )
