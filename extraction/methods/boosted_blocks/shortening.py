"""Labelled pages with little of their content, so that the trees learn short texts, too.

Labelled pages have long texts, beside which the note on their author is short. On the web, many
posts are a few lines and a picture: shorter than that note.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.methods.boosted_blocks.node_tree import node_tree
from extraction.methods.boosted_blocks.view import all_blocks

if TYPE_CHECKING:
    import numpy.typing as npt

    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray
    from extraction.labelled import LabelledPage
    from extraction.methods.boosted_blocks.arrays import Singles

# Between these numbers of words are left, evenly by their logarithm, but no more than the share.
_LEAST_LEFT, _MOST_LEFT, _MOST_OF_CONTENT = 12, 250, 0.7
# What is left may be longer by this, so that its last block can be whole.
_LEEWAY: Final = 1.3
# It begins with a paragraph of so many words or more.
_LEAST_OF_PROSE: Final = 4
# The share of pages on which pictures and videos stay where the text around them goes.
_ILLUSTRATED: Final = 0.5
_MEDIA: Final = frozenset(("iframe", "img", "picture", "svg", "video"))


def shortened(page: LabelledPage, labels: BoolArray, words: Singles) -> LabelledPage | None:
    """The page with a short stretch of its content; always the same one. None if there is none that
    is short enough. Raises MarkupError.

    labels: for every block, whether it is content. words: the number of its words.
    """
    tree = node_tree(page.html)
    if tree is None:
        return None
    blocks = all_blocks(tree.dom)
    random = np.random.default_rng(zlib.crc32(page.id.encode()))
    content = np.flatnonzero(labels)
    stretch = _stretch(content, words[content], np.array(blocks.kinds)[content], random)
    if not len(stretch):
        return None
    gone = np.isin(blocks.block_of, np.setdiff1d(content, stretch))
    for node in _tops(tree.dom, gone, illustrated=random.random() < _ILLUSTRATED):
        tree.nodes[node].decompose()
    gold_text = "\n".join(blocks.texts[block] for block in stretch.tolist())
    return replace(page, html=tree.html, gold_text=gold_text)


def _stretch(
    content: Integers, words: Singles, kinds: npt.NDArray[np.str_], random: np.random.Generator
) -> Integers:
    """Successive blocks of the content, with the first heading before them; or none."""
    may_begin = (kinds == "paragraph") & (words >= _LEAST_OF_PROSE)
    most = min(_MOST_LEFT, _MOST_OF_CONTENT * float(words.sum()))
    least = max(_LEAST_LEFT, words[may_begin].min(initial=_MOST_LEFT))
    if least >= most:
        return content[:0]
    left = _LEEWAY * np.exp(random.uniform(np.log(least), np.log(most)))
    first = int(random.choice(np.flatnonzero(may_begin & (words <= left))))
    fitting = int((np.cumsum(words[first:]) <= left).sum())
    heading = content[:first][kinds[:first] == "heading"][:1]
    return np.concatenate([heading, content[first : first + fitting]])


def _tops(dom: Dom, gone: BoolArray, *, illustrated: bool) -> list[int]:
    """The topmost nodes of all that goes: the texts, and elements that are left without any text.

    illustrated: whether elements stay that have pictures or videos.
    """

    def have(nodes: BoolArray) -> BoolArray:
        return dom.subtree_sums(nodes.astype(np.int32)) > 0

    goes = gone | (have(gone) & ~have((dom.lengths > 0) & ~gone))
    if illustrated:
        goes &= ~have(dom.has_tag(_MEDIA))
    roots = np.flatnonzero(goes)
    tops: list[int] = roots[~dom.covered(roots)[dom.parents[roots]]].tolist()
    return tops
