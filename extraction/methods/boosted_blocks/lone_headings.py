"""Headings and labels that are left with nothing below them.

What ends an article is often the heading of what was left out: "Related:", "More on this story".
So is a heading amid a text that names a table of contents, which is mostly links.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.methods.boosted_blocks.characters import COLONS, SENTENCE_ENDS

if TYPE_CHECKING:
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.methods.boosted_blocks.view import PageView

# Longer blocks that end in a colon announce something that is no text, such as a video.
_LABEL_WORDS: Final = 4
# Of the kept words. More may be a text of which all paragraphs are headings.
_MOST: Final = 0.1
_CONTENTS: Final = frozenset(
    (
        *("table of contents", "contents", "in this article", "in this guide", "in this post"),
        *("on this page", "jump to", "jump to section", "what's in this article"),
        *("inhalt", "inhaltsverzeichnis", "auf dieser seite", "in diesem artikel"),
        *("sommaire", "table des matières", "dans cet article", "sur cette page"),
        *("contenido", "contenidos", "tabla de contenidos", "en este artículo", "índice"),
        *("conteúdo", "neste artigo", "indice", "in questo articolo", "inhoud", "inhoudsopgave"),
        *("spis treści", "содержание", "оглавление", "目录", "目錄", "目次"),
    )
)
# The list may come after a button that shows it.
_NEAR: Final = 2
# Entries of a table of contents are shorter, or end in no full stop.
_PROSE_WORDS: Final = 8


def without_ends(kept: BoolArray, page: PageView, levels: IntArray) -> BoolArray:
    """The kept blocks of an article, but for headings and labels after its text.

    levels: those of headings, as ``heading_levels`` gives them.
    """
    blocks = np.flatnonzero(kept)
    is_text = [not (levels[block] or _is_label(page, block)) for block in blocks.tolist()]
    lone = blocks[len(is_text) - is_text[::-1].index(True) :] if any(is_text) else blocks[:0]
    if not len(lone) or page.words[lone].sum() > _MOST * page.words[blocks].sum():
        return kept
    kept = kept.copy()
    kept[lone] = False
    return kept


def without_contents(kept: BoolArray, page: PageView) -> BoolArray:
    """The kept blocks of a text, but for those that name a table of contents without entries."""
    result = kept.copy()
    for block, following in pairwise(np.flatnonzero(kept).tolist()):
        if page.words[block] <= _LABEL_WORDS and _name(page.texts[block]) in _CONTENTS:
            result[block] = following <= block + _NEAR and not _is_prose(page, following)
    return result


def _name(heading: str) -> str:
    return heading.rstrip(f"{COLONS} ").lower()


def _is_prose(page: PageView, block: int) -> bool:
    return page.words[block] >= _PROSE_WORDS and page.texts[block][-1] in SENTENCE_ENDS


def _is_label(page: PageView, block: int) -> bool:
    return page.words[block] <= _LABEL_WORDS and page.texts[block][-1] in COLONS
