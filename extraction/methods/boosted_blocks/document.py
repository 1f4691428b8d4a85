"""Features of the whole page, and the word overlap of each block with title and description."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from corpus_commons.markup.measures import words_in
from extraction.methods.boosted_blocks.characters import CharacterClass
from extraction.methods.boosted_blocks.naming import NAMES

if TYPE_CHECKING:
    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.dom import Dom
    from extraction.methods.boosted_blocks.ancestry import Ancestry
    from extraction.methods.boosted_blocks.arrays import Floats, Singles
    from extraction.methods.boosted_blocks.batch import Batch, Columns
    from extraction.page.blocks import BlockKind

_COUNTED_TAGS = ("article", "main", "h1", "h2", "h3", "img", "form", "input", "button", "time")
_COUNTED_NAMES = (
    "comment", "product", "price", "review", "forum", "list", "post", "code", "tabs", "search",
)  # fmt: skip
_COUNTED_KINDS: tuple[BlockKind, ...] = (
    "heading", "paragraph", "list-item", "table-row", "code",
)  # fmt: skip
_TITLE_KEYS = frozenset(("og:title", "twitter:title"))
_DESCRIPTION_KEYS = frozenset(("description", "og:description", "twitter:description"))
# Titles are shorter than this, so only the beginning of a longer block is compared.
_MAX_COMPARED_CHARACTERS = 400


def columns(batch: Batch, ancestry: Ancestry) -> Columns:
    """The page's features, the same for every block, and each block's overlap features."""
    pages = _pages(batch, ancestry)
    return {
        **{f"page.{name}": values[batch.page_of] for name, values in pages.items()},
        **_overlap(batch),
    }


def _pages(batch: Batch, ancestry: Ancestry) -> dict[str, npt.NDArray[np.generic]]:
    """The features of every page."""
    roots, words = batch.tree.roots, batch.page_words
    blocks = np.bincount(batch.page_of)
    elements = np.maximum(batch.node_elements[roots], 1)
    characters = np.add.reduceat(batch.characters.counts, batch.starts)
    longest, median = _longest_and_median(batch)
    kinds, tags, names = _kinds(batch), _tags(batch), ancestry.counts()
    return {
        "blocks": blocks,
        "words": words,
        "elements": elements,
        "prose": batch.page_prose / words,
        "blocks-of-prose": batch.of_pages(batch.is_prose) / blocks,
        "link-density": batch.node_linked_words[roots] / words,
        "longest-block": longest,
        "median-block": median,
        "depth": np.maximum.reduceat(batch.tree.depths, roots),
        "currency-signs": characters[:, CharacterClass.CURRENCY],
        "quotes": characters[:, CharacterClass.QUOTE] / words,
        "digits": characters[:, CharacterClass.DIGIT] / words,
        **{f"kind-{kind}": kinds[kind] / blocks for kind in _COUNTED_KINDS},
        **{f"tag-{tag}": tags[tag] for tag in _COUNTED_TAGS},
        **{f"name-{name}": names[:, NAMES.names.index(name)] / elements for name in _COUNTED_NAMES},
    }


def _longest_and_median(batch: Batch) -> Singles:
    """(2, pages): the words of the longest block, and those of the block in the middle."""
    ordered = batch.words[np.lexsort((batch.words, batch.page_of))]
    blocks = np.bincount(batch.page_of)
    low, high = (batch.starts + (blocks - 1) // 2), batch.starts + blocks // 2
    last = batch.starts + blocks - 1
    return np.stack([ordered[last], (ordered[low] + ordered[high]) / 2])


def _kinds(batch: Batch) -> dict[str, npt.NDArray[np.float64]]:
    """The number of blocks of each kind on every page."""
    kinds = np.array(batch.kinds)
    return {kind: batch.of_pages(kinds == kind) for kind in _COUNTED_KINDS}


def _tags(batch: Batch) -> dict[str, npt.NDArray[np.intp]]:
    """The number of elements of each tag on every page."""
    tree, pages = batch.tree, len(batch.starts)
    return {
        tag: np.bincount(tree.page_of[tree.elements(tag)], minlength=pages) for tag in _COUNTED_TAGS
    }


def _overlap(batch: Batch) -> Columns:
    """How much every block shares with title and description, and how far it is from the title."""
    in_title, of_title, in_description = _shares(batch)
    return {
        "title.share-of-block": in_title,
        "title.share-of-title": of_title,
        "description.share-of-block": in_description,
        "blocks-since-title": _since_title(batch, of_title * (in_title + 0.3)),
    }


def _shares(batch: Batch) -> Floats:
    """(3, blocks): the share of every block's words in the title, that of the title's words in the
    block, and the share of the block's words in the description.
    """
    shares = np.zeros((3, len(batch)))
    for view, start in zip(batch.views, batch.starts.tolist(), strict=True):
        title, description = (set(_words(text)) for text in _title_and_description(view.dom))
        either = title | description
        if not either:
            continue
        for block, text in enumerate(view.texts, start):
            found = _words(text)
            if either.isdisjoint(found):
                continue
            words = set(found)
            shared = len(words & title)
            shares[0, block] = shared / len(words)
            shares[1, block] = shared / max(len(title), 1)
            shares[2, block] = len(words & description) / len(words)
    return shares


def _since_title(batch: Batch, likeness: Floats) -> Integers:
    """The distance of every block from the block of its page that is most like the title."""
    most = np.maximum.reduceat(likeness, batch.starts)[batch.page_of]
    # Of several, the first: the last assignment counts.
    alike = np.flatnonzero(likeness == most)[::-1]
    like = np.zeros(len(batch.starts), dtype=np.int64)
    like[batch.page_of[alike]] = batch.index[alike]
    return batch.index - like[batch.page_of]


def _words(text: str) -> list[str]:
    return words_in(text[:_MAX_COMPARED_CHARACTERS].lower())


def _title_and_description(dom: Dom) -> tuple[str, str]:
    titles: list[str] = []
    descriptions: list[str] = []
    for node in np.sort(np.concatenate([dom.elements("title"), dom.elements("meta")])).tolist():
        if dom.tags[node] == "title":
            if not titles:
                titles.append(" ".join(dom.texts[node : dom.ends[node]]))
            continue
        attributes = dom.attributes[node]
        key = (attributes.get("property") or attributes.get("name") or "").lower()
        if key in _TITLE_KEYS:
            titles.append(attributes.get("content") or "")
        elif key in _DESCRIPTION_KEYS:
            descriptions.append(attributes.get("content") or "")
    return " ".join(titles), " ".join(descriptions)
