"""Labelled pages as training samples."""

from __future__ import annotations

import logging
import zlib
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from corpus_commons.markup.dom import parse
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.nameless import nameless
from corpus_commons.markup.page_site import page_site
from extraction.labelled import LabelledPage, read_pages, set_name
from extraction.methods.boosted_blocks.batch import Batch
from extraction.methods.boosted_blocks.discussions import Talks, discussed, talks_of
from extraction.methods.boosted_blocks.features import columns, matrix
from extraction.methods.boosted_blocks.labels import block_labels
from extraction.methods.boosted_blocks.lexicon_fitting import NO_EVIDENCE, evidence_of
from extraction.methods.boosted_blocks.page_judgement import ARTICLE
from extraction.methods.boosted_blocks.shortening import shortened
from extraction.methods.boosted_blocks.site import blocks_of
from extraction.methods.boosted_blocks.view import all_blocks
from extraction.methods.boosted_blocks.weights import root_weights_of
from extraction.page_marks import Blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.tree import BoolArray
    from extraction.methods.boosted_blocks.arrays import Floats, Rows, Singles
    from extraction.methods.boosted_blocks.lexicon_fitting import Evidence, Vocabulary
    from extraction.page.segmentation import Segmentation

_log = logging.getLogger(__name__)

_NO_BLOCKS: Final = Blocks(
    np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.float32)
)


class Form(NamedTuple):
    """What the trees are told of a page's blocks.

    rows: (blocks, features). evidence: the words that a lexicon weighs.
    """

    rows: Rows
    evidence: Evidence


@dataclass(frozen=True, eq=False)
class Sample:
    """A labelled page, perhaps without blocks.

    set_name: the name of the data set.
    site: the registered domain, of the URL or as the page tells; otherwise the page's id.
    page_type: None if unknown.
    forms: the page as it is, and with made-up names of its elements.
    labels: for every block, whether it is main content.
    texts, words, copies: per block.
    blocks: what a site's memory is asked about.
    made: of an article: pages made of it, from which the trees learn, too.
    """

    page: LabelledPage
    set_name: str
    site: str
    page_type: str | None
    forms: tuple[Form, Form]
    labels: BoolArray
    texts: list[str]
    words: Singles
    copies: Integers
    blocks: Blocks
    made: tuple[Sample, ...] = ()

    @property
    def rows(self) -> Rows:
        """Of the page as it is."""
        return self.forms[0].rows

    @property
    def evidence(self) -> Evidence:
        """Of the page as it is."""
        return self.forms[0].evidence

    @property
    def weights(self) -> Floats:
        """One per block: longer blocks weigh more, but all pages weigh the same in total."""
        weights = root_weights_of(self.words.astype(np.float64))
        weights *= 100 / weights.sum()
        return weights

    def fold(self, folds: int, purpose: str = "") -> int:
        """The fold of the page's site; every ``purpose`` has folds of its own."""
        return zlib.crc32(f"{purpose}{self.site}".encode()) % folds


def feature_names() -> tuple[str, ...]:
    return tuple(columns(Batch([all_blocks(parse("<p>text"))])))


def samples(
    files: Iterable[Path], vocabulary: Vocabulary, *, untyped: str | None = None
) -> Iterator[Sample]:
    """The pages of the files as samples.

    vocabulary: the words of the pages are added to it.
    untyped: the page type of pages for which the data gives none.
    """
    pages = [(set_name(file), page) for file in files for page in read_pages(file)]
    talks = talks_of(page for _, page in pages)
    names = feature_names()
    for its_set, page in pages:
        read = partial(
            _sample,
            its_set=its_set,
            site=page_site(page.html, page.url) or page.id,
            page_type=page.genre or untyped,
            names=names,
            vocabulary=vocabulary,
        )
        whole = read(page)
        yield replace(whole, made=tuple(_made(whole, talks, read)))


def _made(whole: Sample, talks: Talks, read: Callable[[LabelledPage], Sample]) -> Iterator[Sample]:
    """An article with a little of its content, and of every second one also with a discussion."""
    if whole.page_type != ARTICLE or not whole.labels.any():
        return
    choice = zlib.crc32(whole.page.id.encode()) % 4
    article: Sample | None = whole if choice == 0 else None
    if shorter := shortened(whole.page, whole.labels, whole.words):
        short = read(shorter)
        yield short
        article = short if choice == 1 else article
    if article and (talk := discussed(article.page, article.labels, article.words, talks)):
        yield read(talk)


def _sample(
    page: LabelledPage,
    *,
    its_set: str,
    site: str,
    page_type: str | None,
    names: tuple[str, ...],
    vocabulary: Vocabulary,
) -> Sample:
    blocks = _blocks(page)
    known = partial(Sample, page=page, set_name=its_set, site=site, page_type=page_type)
    if blocks is None or not len(blocks):
        return known(
            forms=(Form(np.empty((0, len(names)), dtype=np.float32), NO_EVIDENCE),) * 2,
            labels=np.empty(0, dtype=np.bool_),
            texts=[],
            words=np.empty(0, dtype=np.float32),
            copies=np.empty(0, dtype=np.int64),
            blocks=_NO_BLOCKS,
        )
    batch = Batch([blocks])
    (view,) = batch.views
    return known(
        forms=_forms(page, batch, names, vocabulary),
        labels=block_labels(view.texts, page.gold_text),
        texts=view.texts,
        words=view.words,
        copies=view.copies,
        blocks=blocks_of(view),
    )


def _forms(
    page: LabelledPage, batch: Batch, names: tuple[str, ...], vocabulary: Vocabulary
) -> tuple[Form, Form]:
    """batch: of the page alone."""

    def read(its: Batch) -> Form:
        return Form(matrix(its, names), evidence_of(its, vocabulary))

    named = read(batch)
    other = all_blocks(parse(nameless(page.html)))
    # Few pages have blocks that begin or end where a name says so.
    return named, read(Batch([other])) if len(other) == len(batch) else named


def _blocks(page: LabelledPage) -> Segmentation | None:
    try:
        return all_blocks(parse(page.html))
    except MarkupError as error:
        _log.warning("page %s cannot be parsed: %s", page.id, error)
        return None
