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
from markup.naming import MAX_NAME_CHARACTERS, NameGroups
from markup.tags import CELLS, PREFORMATTED

if TYPE_CHECKING:
    from extraction.blocks import Segmentation
    from extraction.selection import Selection
    from markup.characters import Integers
    from markup.dom import BoolArray, Dom, IntArray

_NAMES: Final = NameGroups(
    {
        "comment": "comment disqus ^respond$",
        # Names that only say whether there are comments, may be any, or how many.
        "state": "^open ^close ^on$ ^off$ ^no$ ^has$ ^with$ ^without$ ^hide$ ^enable ^disable"
        " ^allow ^status$ ^count$ ^counter$ ^free$ ^commentable$",
        # Lists of comments on other pages, what is said about commenting, and praise of products.
        "aside": "^recent ^latest ^most$ ^popular ^trending ^top$ guideline polic commentar"
        " review testimonial",
        "text": "^entry ^article ^story ^post$ ^content$ ^body$ ^text$",
        "forum": "^forum ^topic discourse upvote postbody",
    }
)
_COMMENT, _STATE, _ASIDE, _TEXT, _FORUM = (1 << bit for bit in range(len(_NAMES.names)))
_ATTRIBUTES: Final = ("class", "id", "itemprop")
# Most pages have none of these letters in any name, and cost no more than this.
_MAY_BE_COMMENT = re.compile(r"omment|disqus|respond", re.I)
_MAY_BE_FORUM = re.compile(r"forum|topic|discourse|upvote|postbody", re.I)
_DISCUSSION = re.compile(r"\b(?:DiscussionForumPosting|QAPage)\b")

# An element with one of these is the page, or a part of it that is more than its comments.
_NEVER_AMONG_COMMENTS: Final = frozenset(("h1", "main"))
_WHOLE_PAGE: Final = frozenset(("html", "head", "body"))
# A field of a record, such as a paper's: what it says stands right behind its name.
_FIELD = re.compile(r"comments?\s*:\s*\S.*[^\W\d]", re.I)
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
    if genre == "forum":
        return None
    segmentation = selection.segmentation
    dom = segmentation.dom
    named, asides = _named(dom)
    if not len(named):
        return None
    words = _words_in_sentences(selection)
    named = named[~_are_fields(segmentation, named)]
    named = named[named != _text_itself(segmentation, named, words)]
    inside = (dom.covered(named) & ~dom.covered(asides))[segmentation.firsts]
    if not inside.any() or _is_discussion(dom, words, inside):
        return None
    return CommentBlocks(inside, inside & _is_spoken(selection, inside))


def _named(dom: Dom) -> tuple[IntArray, IntArray]:
    """The elements whose names say that they hold comments, and those of other comments."""
    bits = _bits(dom, _MAY_BE_COMMENT)
    is_comment, is_aside = bits & _COMMENT > 0, bits & _ASIDE > 0
    named = np.flatnonzero(is_comment & ~is_aside).astype(np.int32)
    if len(named):
        never = dom.subtree_sums(dom.has_tag(_NEVER_AMONG_COMMENTS).astype(np.int32))
        whole = dom.has_tag(_WHOLE_PAGE) | (dom.nearest(dom.has_tag(_SOURCE_CODE)) >= 0)
        named = named[(never[named] == 0) & ~whole[named]]
    return named, np.flatnonzero(is_comment & is_aside).astype(np.int32)


def _are_fields(segmentation: Segmentation, named: IntArray) -> BoolArray:
    """Which of the elements are a cell in a table of data, or one block that says what it is."""
    dom = segmentation.dom
    starts = np.searchsorted(segmentation.firsts, named)
    stops = np.searchsorted(segmentation.firsts, dom.ends[named])
    are_fields = np.zeros(len(named), dtype=np.bool_)
    for place in np.flatnonzero(stops - starts == 1).tolist():
        block = starts[place]
        is_cell = dom.tags[named[place]] in CELLS and segmentation.rows[block] >= 0
        are_fields[place] = is_cell or _FIELD.match(segmentation.texts[block]) is not None
    return are_fields


def _text_itself(segmentation: Segmentation, named: IntArray, words: Integers) -> int:
    """The element that holds most of what is kept, outside those in it, and says so; -1 if none.

    words: of every block, those in sentences.
    """
    dom = segmentation.dom
    is_named = np.zeros(len(dom), dtype=np.bool_)
    is_named[named] = True
    holders = dom.nearest(is_named)[segmentation.firsts]
    # The entry for -1 has the words outside all of them.
    own = np.bincount(holders + 1, words, len(dom) + 1)
    largest = int(own.argmax()) - 1
    if largest < 0 or 2 * own[largest + 1] <= words.sum():
        return -1
    names = " ".join(dom.attributes[largest].get(name) or "" for name in _ATTRIBUTES)
    says_so = any(_NAMES.bits_of(name) & (_TEXT | _COMMENT) == _TEXT for name in names.split())
    return largest if says_so else -1


def _bits(dom: Dom, may_be: re.Pattern[str]) -> Integers:
    """For every node, the groups of its names; 0 where no name may be of interest."""
    bits = np.zeros(len(dom), dtype=np.int64)
    for name in _ATTRIBUTES:
        attribute = dom.attribute(name)
        if not may_be.search("\n".join(attribute.values)):
            continue
        found = [_groups_of(value) if may_be.search(value) else 0 for value in attribute.values]
        bits[attribute.nodes] |= np.array(found, dtype=np.int64)[attribute.codes]
    return bits


def _groups_of(names: str) -> int:
    groups = 0
    for name in names[:MAX_NAME_CHARACTERS].split():
        found = _NAMES.bits_of(name)
        groups |= found & ~_COMMENT if found & _STATE else found
    return groups


def _words_in_sentences(selection: Selection) -> Integers:
    """For every block, the words of its kept text; 0 where they are too few for a sentence."""
    words = np.array(
        [count_words(text) for text in selection.segmentation.texts_of(selection.kept)]
    )
    words[words < _SENTENCE_WORDS] = 0
    return words


def _is_discussion(dom: Dom, words: Integers, inside: BoolArray) -> bool:
    if any(map(_DISCUSSION.search, dom.attribute("itemtype").values)) or _declares_discussion(dom):
        return True
    if np.count_nonzero(_bits(dom, _MAY_BE_FORUM) & _FORUM) >= _FORUM_NAMES:
        return True
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
