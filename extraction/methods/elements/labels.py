"""Labels for training and evaluation: which elements and images of a page are main content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import words_in
from extraction.training.alignment import gold_shares

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.elements.text_elements import TextElements

Labels = npt.NDArray[np.int8]

MAIN, NOISE, UNLABELLED = 1, 0, -1
# The attribute in which GoogleTrends-2017 keeps its annotators' labels, and the labels for content;
# comments are labelled, too, as ``comment``.
NODE_LABEL: Final = "__label"
_CONTENT_LABELS: Final = frozenset(
    "main title subtitle substitle head caption image video author date".split()
)
_IMAGE_LABELS: Final = frozenset("main image caption".split())
# The least number of words in the context of an image.
_CONTEXT_WORDS: Final = 15
# An image with a smaller declared side is a spacer, a tracking pixel or an icon.
_LEAST_SIDE: Final = 32


def has_node_labels(dom: Dom) -> bool:
    """Whether annotators labelled nodes of the page itself."""
    return any(NODE_LABEL in attributes for attributes in dom.attributes)


def text_labels(elements: TextElements, gold_text: str) -> Labels:
    """Elements are main if half of their words are in the gold text; unlabelled without words."""
    if has_node_labels(elements.dom):
        return _marked_elements(elements)
    shares = gold_shares(elements.texts, gold_text)
    labels: Labels = np.where(np.nan_to_num(shares) >= 0.5, MAIN, NOISE).astype(np.int8)
    labels[np.isnan(shares)] = UNLABELLED
    return labels


def image_labels(
    elements: TextElements,
    labels: Labels,
    images: IntArray,
    sizes: list[tuple[int | None, int | None]],
) -> Labels:
    """Images are main if their context is mostly main content, unless they are declared tiny.

    The context of an image is its smallest ancestor that contains a few words. This rule is needed
    because no data set with a clear licence labels images.

    labels: of ``elements``.
    images: the ``img`` nodes; sizes: their declared width and height.
    """
    dom = elements.dom
    words = np.array([len(words_in(text)) for text in elements.texts], dtype=np.float64)
    by_node = np.zeros((2, len(dom)))
    by_node[0, elements.nodes] = words
    by_node[1, elements.nodes] = words * (labels == MAIN)
    total, main = dom.subtree_sums(by_node[0]), dom.subtree_sums(by_node[1])
    context = dom.nearest(total >= _CONTEXT_WORDS)[images]
    is_main = (context >= 0) & (main[context] >= 0.5 * total[context])
    tiny = np.array([min(_known(size), default=_LEAST_SIDE) < _LEAST_SIDE for size in sizes], bool)
    labels_of_images: Labels = np.where(is_main & ~tiny, MAIN, NOISE).astype(np.int8)
    return labels_of_images


def marked_images(dom: Dom, images: IntArray) -> Labels:
    """The annotators' labels of the images, for a page with node labels."""
    return _inside(dom, _IMAGE_LABELS)[images].astype(np.int8)


def _known(size: tuple[int | None, int | None]) -> list[int]:
    return [side for side in size if side is not None]


def _marked_elements(elements: TextElements) -> Labels:
    """Elements are main if half of their own characters are in nodes labelled as content."""
    sizes = np.array([len(text.strip()) for text in elements.dom.texts])
    marked = elements.own_sums(sizes * _inside(elements.dom, _CONTENT_LABELS))
    return (2 * marked >= elements.own_sums(sizes)).astype(np.int8)


def _inside(dom: Dom, marks: frozenset[str]) -> BoolArray:
    """Nodes whose nearest label, their own or an ancestor's, is one of ``marks``."""
    mark_of = {
        node: _mark(attributes[NODE_LABEL])
        for node, attributes in enumerate(dom.attributes)
        if NODE_LABEL in attributes
    }
    marked = np.zeros(len(dom), dtype=np.bool_)
    marked[list(mark_of)] = True
    chosen = np.array([mark_of.get(node) in marks for node in range(len(dom))], dtype=np.bool_)
    nearest = dom.nearest(marked)
    return (nearest >= 0) & chosen[nearest]


def _mark(value: str | None) -> str:
    return "".join(filter(str.isalpha, (value or "").lower()))
