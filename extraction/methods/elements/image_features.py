"""Features of images: their size, their names, their position, and the text around them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import shares
from extraction.methods.elements.ancestry import GROUPS, Ancestry
from extraction.methods.elements.text_features import group_flags
from extraction.page.images import address, declared_size

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.measures import Measures
    from corpus_commons.markup.tree import IntArray
    from extraction.methods.elements.text_elements import TextElements

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]

_ADDRESS_PATTERNS: Final = {
    "decoration": "logo|icon|sprite|button|bullet|arrow|badge|flag|emoji|smil|star|rating",
    "counter": "pixel|spacer|blank|track|beacon|transparent|1x1|clear|shim",
    "person": "avatar|gravatar|author|profile|headshot|user",
    "ad": r"\bads?\b|advert|banner|sponsor|promo|doubleclick|affiliate",
    "social": "facebook|twitter|linkedin|pinterest|whatsapp|instagram|youtube|share",
    "thumb": r"thumb|small|_s\.|150x150|100x100|preview",
    "upload": "upload|content|media|photo|gallery|product|image",
    "vector": r"\.svg",
    "gif": r"\.gif",
    "png": r"\.png",
    "photo": r"\.jpe?g|\.webp|\.avif",
}
_PATTERNS = [re.compile(pattern, re.I) for pattern in _ADDRESS_PATTERNS.values()]
_ANCESTOR_LEVELS: Final = (1, 2, 3, 4)
_CONTEXT_WORDS: Final = (1, 15, 60)
_WINDOW_RADII: Final = (3, 10)
_SIZE_NAMES: Final = "width height least-side pixels aspect alt-words alt-missing".split()
# Longer values are generated, or are the image itself. The words of a URL are those of its end.
_ALT_CHARACTERS: Final = 150
_URL_CHARACTERS: Final = 500
_URL_END: Final = 80

NAMES: Final = (
    *_SIZE_NAMES,
    *(f"address-{name}" for name in _ADDRESS_PATTERNS),
    *"depth image-position images repeated-address repeated-class text-position".split(),
    *"main-before main-after".split(),
    *(f"main-window{radius}" for radius in _WINDOW_RADII),
    "main-page",
    *(
        f"up{level}-{what}"
        for level in _ANCESTOR_LEVELS
        for what in ("words", "links", "images", "main")
    ),
    *(f"context{n}-{what}" for n in _CONTEXT_WORDS for what in ("main", "levels")),
    *(f"in-{group}" for group in GROUPS),
    *(f"is-{group}" for group in GROUPS),
)


def image_features(
    images: IntArray,
    elements: TextElements,
    probabilities: Floats,
    ancestry: Ancestry,
    measures: Measures,
) -> Rows:
    """One row per image, one column for each of NAMES.

    images: ``img`` nodes.
    probabilities: for every text element, that it is main content.
    """
    dom = elements.dom
    words = elements.own_sums(measures.own_words)
    main_words = words * probabilities
    return np.hstack(
        (
            _looks(dom, images),
            _place(dom, images, elements),
            _neighbours(dom, images, elements, words, probabilities),
            _surroundings(images, elements, main_words, measures),
            _contexts(images, elements, main_words, measures),
            group_flags(ancestry, images),
        ),
        dtype=np.float32,
    )


def image_names(dom: Dom, images: IntArray) -> list[str]:
    """The words of every image: its alternative text and the last part of its URL."""
    alternatives = (dom.attributes[node].get("alt") or "" for node in images.tolist())
    return [
        f"{alternative[:_ALT_CHARACTERS]} {address(dom, node)[-_URL_END:]}"
        for node, alternative in zip(images.tolist(), alternatives, strict=True)
    ]


def _looks(dom: Dom, images: IntArray) -> Floats:
    rows = np.zeros((len(images), len(_SIZE_NAMES) + len(_PATTERNS)))
    for row, node in zip(rows, images.tolist(), strict=True):
        attributes = dom.attributes[node]
        width, height = (np.nan if side is None else side for side in declared_size(attributes))
        alt = attributes.get("alt")
        row[: len(_SIZE_NAMES)] = (
            width,
            height,
            np.fmin(width, height),
            width * height,
            width / max(1, height),
            len((alt or "").split()),
            alt is None,
        )
        url = address(dom, node)[:_URL_CHARACTERS]
        row[len(_SIZE_NAMES) :] = [pattern.search(url) is not None for pattern in _PATTERNS]
    return rows


def _place(dom: Dom, images: IntArray, elements: TextElements) -> Floats:
    n = len(images)
    addresses = [address(dom, node) for node in images.tolist()]
    classes = [dom.attributes[node].get("class") for node in images.tolist()]
    same_address, same_class = Counter(addresses), Counter(classes)
    return np.column_stack(
        (
            dom.depths[images],
            np.arange(n) / max(1, n),
            np.full(n, np.log1p(n)),
            [same_address[url] for url in addresses],
            np.log1p([same_class[name] for name in classes]),
            _texts_before(images, elements) / max(1, len(elements)),
        )
    )


def _texts_before(images: IntArray, elements: TextElements) -> IntArray:
    """For every image, the number of elements that begin before it."""
    starts = np.full(len(elements), len(elements.dom), dtype=np.int64)
    owned = np.flatnonzero(elements.element_of >= 0)
    np.minimum.at(starts, elements.element_of[owned], owned)
    return np.searchsorted(starts, images).astype(np.int32)


def _neighbours(
    dom: Dom, images: IntArray, elements: TextElements, words: Floats, probabilities: Floats
) -> Floats:
    n = len(elements)
    at = _texts_before(images, elements).astype(np.int64)
    padded = np.concatenate(([0.0], probabilities, [0.0]))
    main = np.concatenate(([0.0], np.cumsum(words * probabilities)))
    total = np.concatenate(([0.0], np.cumsum(words)))
    columns = [padded[at], padded[at + 1]]
    for radius in (*_WINDOW_RADII, len(dom)):
        low, high = np.maximum(at - radius, 0), np.minimum(at + radius, n)
        columns.append(shares(main[high] - main[low], total[high] - total[low], of_nothing=-1.0))
    return np.column_stack(columns)


def _surroundings(
    images: IntArray, elements: TextElements, main_words: Floats, measures: Measures
) -> Floats:
    dom = elements.dom
    is_image = np.zeros(len(dom), dtype=np.int64)
    is_image[images] = 1
    held = dom.subtree_sums(is_image)
    main = _spread(elements, main_words)
    here = images
    columns: list[Floats] = []
    for _ in _ANCESTOR_LEVELS:
        here = np.maximum(dom.parents[here], 0)
        columns += (
            np.log1p(measures.words[here]),
            shares(measures.linked_characters[here], measures.characters[here], of_nothing=-1.0),
            np.log1p(held[here]),
            shares(main[here], measures.words[here], of_nothing=-1.0),
        )
    return np.column_stack(columns)


def _contexts(
    images: IntArray, elements: TextElements, main_words: Floats, measures: Measures
) -> Floats:
    """The smallest ancestors with given numbers of words: their main words, their height."""
    dom = elements.dom
    main = _spread(elements, main_words)
    columns: list[Floats] = []
    for least in _CONTEXT_WORDS:
        context = np.maximum(dom.nearest(measures.words >= least)[images], 0)
        columns += (
            shares(main[context], measures.words[context], of_nothing=-1.0),
            (dom.depths[images] - dom.depths[context]).astype(np.float64),
        )
    return np.column_stack(columns)


def _spread(elements: TextElements, values: Floats) -> Floats:
    """For every node, the sum of the values of the elements in its subtree."""
    by_node = np.zeros(len(elements.dom))
    by_node[elements.nodes] = values
    return elements.dom.subtree_sums(by_node)
