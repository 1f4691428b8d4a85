"""Labelled pages as training samples."""

from __future__ import annotations

import logging
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.dom import parse
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.sites import site_of
from extraction.methods.boosted_blocks.features import columns, matrix
from extraction.methods.boosted_blocks.labels import block_labels
from extraction.methods.boosted_blocks.lexicon_fitting import NO_EVIDENCE, evidence_of
from extraction.methods.boosted_blocks.site import (
    NO_BLOCKS,
    NO_SURROUNDINGS,
    blocks_of,
    surroundings,
)
from extraction.methods.boosted_blocks.view import PageView, view
from extraction.training.labelled import LabelledPage, read_pages, set_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.dom import BoolArray
    from extraction.methods.boosted_blocks.lexicon_fitting import Evidence, Vocabulary
    from extraction.methods.boosted_blocks.site import Surroundings
    from extraction.methods.boosted_blocks.view import Floats
    from extraction.site_memory import Blocks

_log = logging.getLogger(__name__)

_LEAST_WORDS = 0.5


@dataclass(frozen=True, eq=False)
class Sample:
    """A labelled page, perhaps without blocks.

    set_name: the name of the data set.
    site: the registered domain; a page without a URL is a site of its own.
    page_type: None if unknown.
    rows: (blocks, features).
    labels: for every block, whether it is main content.
    evidence: the words that a lexicon weighs.
    texts, words, copies: per block.
    blocks, around: what a site's memory is asked about.
    """

    page: LabelledPage
    set_name: str
    site: str
    page_type: str | None
    rows: Floats
    labels: BoolArray
    evidence: Evidence
    texts: list[str]
    words: Floats
    copies: Integers
    blocks: Blocks
    around: Surroundings

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """One per block: longer blocks weigh more, but all pages weigh the same in total."""
        weights: npt.NDArray[np.float64] = np.sqrt(self.words.astype(np.float64) + _LEAST_WORDS)
        weights *= 100 / weights.sum()
        return weights

    def fold(self, folds: int, purpose: str = "") -> int:
        """The fold of the page's site; every ``purpose`` has folds of its own."""
        return zlib.crc32(f"{purpose}{self.site}".encode()) % folds


def feature_names() -> tuple[str, ...]:
    page_view = view(parse("<p>text"))
    if page_view is None:
        raise AssertionError("a page with text has a view")
    return tuple(columns(page_view))


def samples(
    files: Iterable[Path], vocabulary: Vocabulary, *, untyped: str | None = None
) -> Iterator[Sample]:
    """The pages of the files as samples.

    vocabulary: the words of the pages are added to it.
    untyped: the page type of pages for which the data gives none.
    """
    names = feature_names()
    for file in files:
        for page in read_pages(file):
            page_view = _view(page)
            texts = page_view.texts if page_view else []
            empty = np.empty(0, dtype=np.float32)
            yield Sample(
                page=page,
                set_name=set_name(file),
                site=site_of(page.url or "") or page.id,
                page_type=page.genre or untyped,
                rows=matrix(page_view, names) if page_view else empty.reshape(0, len(names)),
                labels=block_labels(texts, page.gold_text),
                evidence=evidence_of(page_view, vocabulary) if page_view else NO_EVIDENCE,
                texts=texts,
                words=page_view.words if page_view else empty,
                copies=page_view.copies if page_view else np.empty(0, dtype=np.int64),
                blocks=blocks_of(page_view) if page_view else NO_BLOCKS,
                around=surroundings(page_view) if page_view else NO_SURROUNDINGS,
            )


def _view(page: LabelledPage) -> PageView | None:
    try:
        return view(parse(page.html))
    except MarkupError as error:
        _log.warning("page %s cannot be parsed: %s", page.id, error)
        return None
