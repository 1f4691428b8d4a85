"""Features of text elements: their text, their position, their surroundings, their ancestors."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import WORD, Measures, shares
from corpus_commons.markup.tags import HEADINGS
from extraction.methods.elements.ancestry import GROUPS, Ancestry
from extraction.methods.elements.text_elements import TextElements

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]

_TEXT_NAMES: Final = (
    "characters words link-density links word-length sentences commas digits capitals "
    "ends-sentence ends-colon starts-capital symbols date repeated in-title".split()
)
_PLACE_NAMES: Final = (
    "depth position words-before words-after page-words page-elements page-link-density "
    "after-h1 before-h1 to-longest".split()
)
_NEAR_OFFSETS: Final = (-2, -1, 1, 2)
_WINDOW_RADII: Final = (3, 10)
_ANCESTOR_LEVELS: Final = (1, 2, 3)
_MASS_SHARES: Final = (0.3, 0.5, 0.7, 0.9)

NAMES: Final = (
    "kind",
    "tag-level",
    *_TEXT_NAMES,
    *_PLACE_NAMES,
    *(f"near{offset:+d}-{what}" for offset in _NEAR_OFFSETS for what in ("words", "links", "kin")),
    *(f"window{radius}-{what}" for radius in _WINDOW_RADII for what in ("words", "links")),
    *(
        f"up{level}-{what}"
        for level in _ANCESTOR_LEVELS
        for what in ("words", "links", "elements", "share", "kin")
    ),
    *(f"in-mass-{share}" for share in _MASS_SHARES),
    *(f"in-{group}" for group in GROUPS),
    *(f"is-{group}" for group in GROUPS),
)

_SENTENCE_END = re.compile(r"[.!?…](?:[\s\"'”’)]|$)|[。！？]")
_ENDS_SENTENCE = re.compile(r"[.!?…。！？][\"'”’)\]]*$")
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\b\d{1,2}[:/.]\d{1,2}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.I,
)
_SYMBOL = re.compile(r"[©®|»«›•·→@#$€£]")
# So many characters of a text are measured; in its beginning are the date and the title's words, in
# its end that of the last sentence.
_MEASURED: Final = 2_000
_BEGINNING: Final = 200
_END: Final = 8
_LONGEST_TITLE: Final = 500


def text_features(elements: TextElements, ancestry: Ancestry, measures: Measures) -> Rows:
    """One row per element, one column for each of NAMES."""
    dom, nodes = elements.dom, elements.nodes
    words = elements.own_sums(measures.own_words)
    characters = elements.own_sums(measures.own_characters)
    linked = elements.own_sums(measures.own_linked_characters)
    density = shares(linked, characters)
    return np.hstack(
        (
            _kind(elements),
            np.log1p(np.column_stack((characters, words))),
            np.column_stack((density, _links(elements))),
            _texts(elements),
            _place(elements, words, linked, characters),
            _near(elements, words, density),
            _windows(words, linked, characters),
            _surroundings(elements, measures, words),
            _mass(dom, nodes, measures),
            group_flags(ancestry, nodes),
        ),
        dtype=np.float32,
    )


def _kind(elements: TextElements) -> Floats:
    """One-hot encoding of the kind, and the level of a heading."""
    tags = [elements.dom.tags[node] for node in elements.nodes.tolist()]
    levels = np.fromiter((tag[1] if tag in HEADINGS else 0 for tag in tags), np.float64, len(tags))
    return np.column_stack((elements.kinds, levels))


def group_flags(ancestry: Ancestry, nodes: IntArray) -> Floats:
    """For every node and group, whether it is inside an element of it, then whether it is one."""
    bits = np.arange(len(GROUPS))
    flags = np.hstack(
        (ancestry.flags[nodes][:, None] >> bits, ancestry.own_flags[nodes][:, None] >> bits)
    )
    return (flags & 1).astype(np.float64)


def _links(elements: TextElements) -> Floats:
    is_link = elements.dom.has_tag({"a"}).astype(np.int64)
    within = elements.dom.subtree_sums(is_link)[elements.nodes]
    return np.log1p(within).astype(np.float64)


def _texts(elements: TextElements) -> Floats:
    dom = elements.dom
    repeated = Counter(elements.texts)
    title_words = set(WORD.findall(_title(dom).lower()))
    rows = np.zeros((len(elements), 12))
    for row, text in zip(rows, elements.texts, strict=True):
        head = text[:_MEASURED]
        found = WORD.findall(head[:_BEGINNING].lower())
        length = max(1, len(head))
        row[:] = (
            len(head) / (head.count(" ") + 1),
            len(_SENTENCE_END.findall(head)),
            head.count(","),
            sum(map(str.isdigit, head)) / length,
            sum(map(str.isupper, head)) / length,
            _ENDS_SENTENCE.search(text[-_END:]) is not None,
            text.endswith(":"),
            text[:1].isupper(),
            len(_SYMBOL.findall(head)),
            _DATE.search(head[:_BEGINNING]) is not None,
            repeated[text],
            len(title_words.intersection(found)) / len(found) if found else 0.0,
        )
    return rows


def _title(dom: Dom) -> str:
    if "title" not in dom.tags:
        return ""
    node = dom.tags.index("title")
    return " ".join(dom.texts[node : int(dom.ends[node])])[:_LONGEST_TITLE]


def _place(elements: TextElements, words: Floats, linked: Floats, characters: Floats) -> Floats:
    n = len(elements)
    total = words.sum()
    before = np.cumsum(words) - words
    heads = [i for i, node in enumerate(elements.nodes.tolist()) if elements.dom.tags[node] == "h1"]
    order = np.arange(n)
    first_h1, last_h1 = (heads[0], heads[-1]) if heads else (-1, n)
    longest = int(np.argmax(words - 2 * words * shares(linked, characters))) if n else 0
    return np.column_stack(
        (
            elements.dom.depths[elements.nodes],
            order / max(1, n),
            shares(before, np.full(n, total)),
            np.log1p(total - before - words),
            np.full(n, np.log1p(total)),
            np.full(n, np.log1p(n)),
            np.full(n, linked.sum() / max(1.0, characters.sum())),
            order - first_h1 if heads else np.full(n, np.nan),
            last_h1 - order if heads else np.full(n, np.nan),
            order - longest,
        )
    )


def _near(elements: TextElements, words: Floats, density: Floats) -> Floats:
    """Length and link density of the neighbouring elements, and whether they are siblings."""
    n = len(elements)
    parents = elements.dom.parents[elements.nodes]
    columns: list[Floats] = []
    for offset in _NEAR_OFFSETS:
        there = np.arange(n) + offset
        valid = (there >= 0) & (there < n)
        there = np.clip(there, 0, max(0, n - 1))
        columns += (
            np.where(valid, np.log1p(words[there]), -1.0),
            np.where(valid, density[there], -1.0),
            np.where(valid, parents[there] == parents, -1.0),
        )
    return np.column_stack(columns)


def _windows(words: Floats, linked: Floats, characters: Floats) -> Floats:
    columns: list[Floats] = []
    for radius in _WINDOW_RADII:
        columns += (
            np.log1p(_window_sums(words, radius)),
            shares(_window_sums(linked, radius), _window_sums(characters, radius)),
        )
    return np.column_stack(columns)


def _window_sums(values: Floats, radius: int) -> Floats:
    n = len(values)
    total = np.concatenate(([0.0], np.cumsum(values)))
    order = np.arange(n)
    return total[np.minimum(order + radius + 1, n)] - total[np.maximum(order - radius, 0)]


def _surroundings(elements: TextElements, measures: Measures, words: Floats) -> Floats:
    """Size, links, elements and siblings of the parent and the next two ancestors."""
    dom = elements.dom
    is_element = np.zeros(len(dom), dtype=np.int64)
    is_element[elements.nodes] = 1
    held = dom.subtree_sums(is_element)
    siblings = Counter(zip(dom.parents.tolist(), dom.tags, strict=True))
    columns: list[Floats] = []
    here = elements.nodes
    for _ in _ANCESTOR_LEVELS:
        kin = [
            siblings[parent, dom.tags[node]]
            for parent, node in zip(dom.parents[here].tolist(), here.tolist(), strict=True)
        ]
        here = np.maximum(dom.parents[here], 0)
        size = measures.words[here].astype(np.float64)
        columns += (
            np.log1p(size),
            shares(measures.linked_characters[here], measures.characters[here]),
            np.log1p(held[here]),
            shares(words, size),
            np.log1p(kin),
        )
    return np.column_stack(columns)


def _mass(dom: Dom, nodes: IntArray, measures: Measures) -> Floats:
    """Whether the element is in the deepest subtree with given shares of the unlinked text."""
    unlinked = measures.characters - measures.linked_characters
    columns = []
    for share in _MASS_SHARES:
        heavy = np.flatnonzero(unlinked >= share * unlinked[0])
        deepest = heavy[np.argmax(dom.depths[heavy])] if len(heavy) else 0
        columns.append((nodes >= deepest) & (nodes < dom.ends[deepest]))
    return np.column_stack(columns).astype(np.float64)
