"""Labelled pages as training rows, and the groups that must not be split across folds."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from corpus_commons.markup.dom import Dom, parse
from corpus_commons.markup.error import MarkupError
from corpus_commons.markup.sites import registered_domain
from corpus_commons.markup.tree import IntArray
from extraction.labelled import LabelledPage, read_pages, set_name
from extraction.methods.elements.ancestry import Ancestry
from extraction.methods.elements.labels import (
    UNLABELLED,
    Labels,
    has_node_labels,
    image_labels,
    marked_images,
    text_labels,
)
from extraction.methods.elements.linear import TextWords
from extraction.methods.elements.logistic import word_table
from extraction.methods.elements.page_view import PageView
from extraction.methods.elements.text_elements import KINDS
from extraction.page.images import Size, declared_size

Floats = npt.NDArray[np.float64]

_log = logging.getLogger(__name__)

# If less of the gold text is on the page, it does not fit the page and is no source of labels.
_LEAST_COVERAGE: Final = 0.5
# Yunis reports images up to this many pixels separately from larger ones.
_MEDIUM_PIXELS: Final = 40_000
_OWN_ADDRESS = re.compile(
    r"<(?:link|meta)\b[^>]*(?:canonical|og:url)[^>]*?(?:href|content)\s*=\s*[\"']?(https?://[^\s\"'>]+)",
    re.I,
)


@dataclass(frozen=True, eq=False)
class Sample:
    """The text elements, or the images, of one page.

    id: the page's; data_set: the name of its data set.
    group: the registered domain; pages of one group are in one fold.
    rows: shape (elements, features); table: see word_table.
    labels: 1 main, 0 noise, -1 unlabelled; lengths: in characters, 0 for images.
    nodes, ancestry, words: as for WordWeights.scores.
    kinds: the kind under which each is reported: of element, or the size group of an image.
    by_rule: the labels by the rule for pages on which annotators labelled no images; images only.
    """

    id: str
    data_set: str
    group: str
    rows: npt.NDArray[np.float32]
    table: csr_matrix
    labels: Labels
    lengths: npt.NDArray[np.int64]
    nodes: IntArray
    ancestry: Ancestry
    words: TextWords
    kinds: list[str]
    by_rule: Labels | None = None


def parsed_pages(files: list[Path]) -> Iterator[tuple[str, LabelledPage, Dom]]:
    """Data set, page and Dom of every page that can be parsed."""
    for file in files:
        for page in read_pages(file):
            try:
                yield set_name(file), page, parse(page.html)
            except MarkupError as error:
                _log.warning("%s, page %s: %s", file, page.id, error)


def has_labels(page: LabelledPage, dom: Dom) -> bool:
    """Whether the page can be labelled.

    A page with empty gold text has no content if annotators labelled its nodes; in other data sets,
    its gold text may just as well be missing.
    """
    coverage = page.meta.get("coverage")
    if coverage is not None and coverage < _LEAST_COVERAGE:
        return False
    return bool(page.gold_text.strip()) or has_node_labels(dom)


def group_of(page: LabelledPage) -> str:
    """The registered domain of the page's URL, or the page's id if it has none."""
    address = page.url
    if not address and (found := _OWN_ADDRESS.search(page.html)):
        address = found[1]
    if not address:
        return page.id
    return registered_domain(address) or urlsplit(address).netloc


def text_sample(data_set: str, page: LabelledPage, view: PageView) -> Sample:
    """The text elements of a page as a sample."""
    elements = view.elements
    return Sample(
        id=page.id,
        data_set=data_set,
        group=group_of(page),
        rows=view.text_rows,
        table=word_table(view.ancestry, elements.nodes, view.text_words),
        labels=text_labels(elements, page.gold_text)
        if has_labels(page, view.dom)
        else np.full(len(elements), UNLABELLED, dtype=np.int8),
        lengths=elements.own_sums(view.measures.own_characters).astype(np.int64),
        nodes=elements.nodes,
        ancestry=view.ancestry,
        words=view.text_words,
        kinds=[KINDS[kind] for kind in elements.kinds.tolist()],
    )


def image_sample(text: Sample, view: PageView, probabilities: Floats) -> Sample:
    """The images of the page of ``text`` as a sample; probabilities: of its text elements.

    In data sets with annotated nodes, the images of pages with no labelled image are unlabelled.
    """
    sizes = [declared_size(view.dom.attributes[node]) for node in view.images.tolist()]
    by_rule = image_labels(view.elements, text.labels, view.images, sizes)
    labels = marked_images(view.dom, view.images) if has_node_labels(view.dom) else by_rule
    if (text.labels == UNLABELLED).all() or (labels is not by_rule and not labels.any()):
        labels = np.full(len(view.images), UNLABELLED, dtype=np.int8)
    return replace(
        text,
        rows=view.image_rows(probabilities),
        table=word_table(view.ancestry, view.images, view.image_words),
        labels=labels,
        by_rule=by_rule,
        lengths=np.zeros(len(view.images), dtype=np.int64),
        nodes=view.images,
        ancestry=view.ancestry,
        words=view.image_words,
        kinds=[size_group(size) for size in sizes],
    )


def size_group(size: Size) -> str:
    """Yunis's size group of an image, by its declared area.

    >>> size_group((200, 200)), size_group((640, 480)), size_group((640, None))
    ('small or medium', 'large', 'unknown')
    """
    width, height = size
    if width is None or height is None:
        return "unknown"
    return "small or medium" if width * height <= _MEDIUM_PIXELS else "large"
