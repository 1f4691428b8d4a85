"""Readers' comments under an article: found by what the page's author calls their elements.

The posts of a forum are its main content, and nothing there is a comment. What is a forum is told
by the genre, where it is known, and otherwise by the page itself: it declares a discussion, its
elements are named as those of forums are, or what its method keeps lies in its comments for the
greater part, and hardly anything outside. A method's own guess at the page type does not count: it
takes blogs with many comments for forums.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from markup.measures import count_words
from markup.naming import NameGroups
from markup.tags import PREFORMATTED

if TYPE_CHECKING:
    from extraction.selection import Selection
    from markup.characters import Integers
    from markup.dom import BoolArray, Dom

_NAMES: Final = NameGroups(
    {
        "comment": "comment disqus ^respond$",
        # Lists of comments on other pages, what is said about commenting, and praise of products.
        "aside": "^recent ^latest ^most$ ^popular ^trending ^top$ guideline polic commentar"
        " review testimonial",
        "forum": "^forum ^topic discourse upvote postbody",
    }
)
_COMMENT, _ASIDE, _FORUM = (1 << bit for bit in range(len(_NAMES.names)))
_ATTRIBUTES: Final = ("class", "id", "itemprop")
# Most pages have none of these letters in any name, and cost no more than this.
_MAY_BE_COMMENT = re.compile(r"omment|disqus|respond", re.I)
_MAY_BE_FORUM = re.compile(r"forum|topic|discourse|upvote|postbody", re.I)
_DISCUSSION = re.compile(r"\b(?:DiscussionForumPosting|QAPage)\b")

# An element with one of these is the page, or a part of it that is more than its comments.
_NEVER_AMONG_COMMENTS: Final = frozenset(("h1", "main"))
_WHOLE_PAGE: Final = frozenset(("html", "head", "body"))
# Highlighters call the comments of source code so.
_SOURCE_CODE: Final = PREFORMATTED | {"code"}
_CONTROLS: Final = frozenset("form button textarea label select option".split())

_FORUM_NAMES: Final = 10
# Words of text in sentences, outside the comments of a page, that make it more than a discussion.
_ARTICLE_WORDS: Final = 30
_SENTENCE_WORDS: Final = 8
# Short texts that come again and again: "Reply", "Like", "Report".
_REPEATS: Final = 3
_SHORT_WORDS: Final = 3


class CommentBlocks(NamedTuple):
    """For every block, whether it lies in a comment section, and whether it is worth keeping.

    spoken: what readers wrote, with their names and dates; not forms, buttons, repeated labels.
    """

    inside: BoolArray
    spoken: BoolArray


def find(selection: Selection, *, genre: str | None) -> CommentBlocks | None:
    """The comment sections of a page; None where it has none, or is a forum."""
    segmentation = selection.segmentation
    dom = segmentation.dom
    if genre == "forum":
        return None
    sections = _sections(dom)
    if sections is None:
        return None
    inside = sections[segmentation.firsts]
    if not inside.any() or _is_discussion(selection, inside):
        return None
    return CommentBlocks(inside, inside & _is_spoken(selection, inside))


def _sections(dom: Dom) -> BoolArray | None:
    """The nodes inside comment sections; None where there are none."""
    bits = _bits(dom, _MAY_BE_COMMENT)
    is_comment, is_aside = bits & _COMMENT > 0, bits & _ASIDE > 0
    chosen = np.flatnonzero(is_comment & ~is_aside)
    if not len(chosen):
        return None
    never = dom.subtree_sums(dom.has_tag(_NEVER_AMONG_COMMENTS).astype(np.int32))
    whole = dom.has_tag(_WHOLE_PAGE) | (dom.nearest(dom.has_tag(_SOURCE_CODE)) >= 0)
    chosen = chosen[(never[chosen] == 0) & ~whole[chosen]]
    return dom.covered(chosen) & ~dom.covered(np.flatnonzero(is_comment & is_aside))


def _bits(dom: Dom, may_be: re.Pattern[str]) -> Integers:
    """For every node, the groups of its names; 0 where no name may be of interest."""
    bits = np.zeros(len(dom), dtype=np.int64)
    for name in _ATTRIBUTES:
        attribute = dom.attribute(name)
        if not may_be.search("\n".join(attribute.values)):
            continue
        found = [_NAMES.bits_of(value) if may_be.search(value) else 0 for value in attribute.values]
        bits[attribute.nodes] |= np.array(found, dtype=np.int64)[attribute.codes]
    return bits


def _is_discussion(selection: Selection, inside: BoolArray) -> bool:
    dom = selection.segmentation.dom
    if any(map(_DISCUSSION.search, dom.attribute("itemtype").values)) or _declares_discussion(dom):
        return True
    if np.count_nonzero(_bits(dom, _MAY_BE_FORUM) & _FORUM) >= _FORUM_NAMES:
        return True
    words = np.array(
        [count_words(text) for text in selection.segmentation.texts_of(selection.kept)]
    )
    words[words < _SENTENCE_WORDS] = 0
    outside = words[~inside].sum()
    return bool(outside < _ARTICLE_WORDS and words[inside].sum() > outside)


def _declares_discussion(dom: Dom) -> bool:
    """By JSON-LD."""
    return any(
        dom.attributes[script].get("type") == "application/ld+json"
        and any(map(_DISCUSSION.search, dom.texts[script : dom.ends[script]]))
        for script in dom.elements("script").tolist()
    )


def _is_spoken(selection: Selection, inside: BoolArray) -> BoolArray:
    segmentation = selection.segmentation
    dom = segmentation.dom
    controls = dom.covered(np.flatnonzero(dom.has_tag(_CONTROLS)))
    shown = (dom.visible & ~controls)[segmentation.firsts]
    texts = [
        text if within else "" for text, within in zip(segmentation.texts, inside, strict=True)
    ]
    often = {
        text
        for text, times in Counter(texts).items()
        if times >= _REPEATS and count_words(text) <= _SHORT_WORDS
    }
    is_label = np.array([text in often for text in texts], dtype=np.bool_)
    return shown & ~is_label
