"""Features of the whole page, and the word overlap of each block with title and description."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from corpus_commons.markup.measures import words_in
from extraction.methods.boosted_blocks.characters import CharacterClass

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from extraction.methods.boosted_blocks.ancestry import Ancestry
    from extraction.methods.boosted_blocks.view import Columns, PageView
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


def columns(view: PageView, ancestry: Ancestry) -> Columns:
    """The page's features, the same for every block, and each block's overlap features."""
    page = {f"page.{name}": np.array(value) for name, value in _page(view, ancestry).items()}
    return {**page, **_overlap(view)}


def _page(view: PageView, ancestry: Ancestry) -> dict[str, float]:
    dom, words, characters = view.dom, view.total_words, view.characters.counts.sum(axis=0)
    elements = max(float(view.node_elements[0]), 1.0)
    kinds = view.segmentation.kinds
    return {
        "blocks": len(view),
        "words": words,
        "elements": elements,
        "prose": view.total_prose / words,
        "blocks-of-prose": float(view.is_prose.mean()),
        "link-density": float(view.node_linked_words[0]) / words,
        "longest-block": float(view.words.max()),
        "median-block": float(np.median(view.words)),
        "depth": float(dom.depths.max()),
        "currency-signs": float(characters[CharacterClass.CURRENCY]),
        "quotes": float(characters[CharacterClass.QUOTE]) / words,
        "digits": float(characters[CharacterClass.DIGIT]) / words,
        **{f"kind-{kind}": kinds.count(kind) / len(kinds) for kind in _COUNTED_KINDS},
        **{f"tag-{tag}": len(dom.elements(tag)) for tag in _COUNTED_TAGS},
        **{f"name-{name}": ancestry.count(name) / elements for name in _COUNTED_NAMES},
    }


def _overlap(view: PageView) -> Columns:
    title, description = (set(_words(text)) for text in _title_and_description(view.dom))
    either = title | description
    # The first and the last are shares of the block, the second is a share of the title.
    in_title, of_title, in_description = np.zeros((3, len(view)))
    for block, text in enumerate(view.texts):
        found = _words(text)
        if either.isdisjoint(found):
            continue
        words = set(found)
        shared = len(words & title)
        in_title[block] = shared / len(words)
        of_title[block] = shared / max(len(title), 1)
        in_description[block] = len(words & description) / len(words)
    likeness = of_title * (in_title + 0.3)
    return {
        "title.share-of-block": in_title,
        "title.share-of-title": of_title,
        "description.share-of-block": in_description,
        "blocks-since-title": np.arange(len(view)) - int(np.argmax(likeness)),
    }


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
