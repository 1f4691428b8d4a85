"""Finds readers' comments under an article, by the names of their elements.

The posts of a forum are its main content, not comments. Whether a page is a forum is known from the
genre if it was given. Otherwise a page is a forum if it declares a discussion, if its elements have
names that are typical of forums, or if most of the kept text is in its comments and hardly any
outside. The method's own guess at the page type only makes that "hardly any" a little more: it
takes blogs with many comments for forums.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from corpus_commons.markup.json_ld import json_ld_scripts
from corpus_commons.markup.measures import words_in
from corpus_commons.markup.naming import MAX_NAME_CHARACTERS, NameGroups
from corpus_commons.markup.tags import CELLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corpus_commons.markup.characters import Integers
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray
    from extraction.page.segmentation import Segmentation
    from extraction.page.selection import Selection

# Comments in languages in which sites name their elements, too: Spanish and Portuguese, German,
# Slavic languages, Dutch, Turkish, Hungarian, Greek, Chinese.
_ELSEWHERE: Final = "coment komment koment reactie yorum hozzaszol sxoli pinglun"
_NAMES: Final = NameGroups(
    {
        "comment": f"comment disqus ^respond$ {_ELSEWHERE}",
        # Names that only tell whether comments exist or are allowed, or their number.
        "state": "^open ^close ^on$ ^off$ ^no$ ^has$ ^with$ ^without$ ^hide$ ^enable ^disable"
        " ^allow ^status$ ^count$ ^counter$ ^free$ ^commentable$",
        # Lists of comments on other pages, rules for commenting, and product reviews.
        "aside": "^recent ^latest ^most$ ^popular ^trending ^top$ guideline polic commentar"
        " review testimonial",
        "text": "^entry ^article ^story ^post$ ^content$ ^body$ ^text$",
        "forum": "^forum ^topic discourse upvote postbody",
    }
)
_COMMENT, _STATE, _ASIDE, _TEXT, _FORUM = (1 << bit for bit in range(len(_NAMES.names)))
_ATTRIBUTES: Final = ("class", "id", "itemprop")
# A quick test: most pages have none of these in any name, and need no closer look.
_OF_COMMENTS: Final = ("omment", "disqus", "respond", *_ELSEWHERE.split())
_OF_FORUMS: Final = ("forum", "topic", "discourse", "upvote", "postbody")
_DISCUSSION = re.compile(r"\b(?:DiscussionForumPosting|QAPage)\b")

# An element that contains one of these is more than a comment section.
_NEVER_AMONG_COMMENTS: Final = frozenset(("h1", "main"))
_WHOLE_PAGE: Final = frozenset(("html", "head", "body"))
# A field of a record, such as that of a paper: its name, a colon and its value.
_FIELD = re.compile(r"comments?\s*:\s*\S.*[^\W\d]", re.I)
# So much of a text is looked at: it may be that of hundreds of elements, one in the other.
_FIELD_CHARACTERS: Final = 1_000
_CONTROLS: Final = frozenset("form button textarea label select option".split())

_FORUM_NAMES: Final = 10
# With this many words in sentences outside the comments, a page is more than a discussion; if it is
# likely to be a forum, they may be the question.
_ARTICLE_WORDS: Final = 30
_QUESTION_WORDS: Final = 100
_LIKELY: Final = 0.8
# A page with this probability of being documentation may have parts about other comments than
# those of readers, such as those of a programming language.
_MANUAL: Final = 0.5
_SENTENCE_WORDS: Final = 8
# Short texts that are repeated this often are labels: "Reply", "Like", "Report".
_REPEATS: Final = 3
_SHORT_WORDS: Final = 3


class CommentBlocks(NamedTuple):
    """For every block, whether it is in a comment section, and whether it belongs to a comment.

    spoken: what readers wrote, with their names and dates; not forms, buttons, repeated labels.
    """

    inside: BoolArray
    spoken: BoolArray


def find(
    selection: Selection, *, genre: str | None, page_types: Mapping[str, float] | None = None
) -> CommentBlocks | None:
    """The comment sections of a page; None if it has none, or is a forum.

    genre: the kind of page, if it is known. page_types: their probabilities.
    """
    page_types = page_types or {}
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
    if page_types.get("documentation", 0.0) >= _MANUAL:
        named = named[~_are_amid_text(segmentation, named, words)]
    inside = (dom.covered(named) & ~dom.covered(asides))[segmentation.firsts]
    if not inside.any() or _is_discussion(
        dom,
        words,
        inside,
        _QUESTION_WORDS if page_types.get("forum", 0.0) >= _LIKELY else _ARTICLE_WORDS,
    ):
        return None
    return CommentBlocks(inside, inside & _is_spoken(selection, inside))


def _named(dom: Dom) -> tuple[IntArray, IntArray]:
    """The elements named as comments, and those named as lists of comments on other pages."""
    bits = _bits(dom, _OF_COMMENTS)
    is_comment, is_aside = bits & _COMMENT > 0, bits & _ASIDE > 0
    named = np.flatnonzero(is_comment & ~is_aside).astype(np.int32)
    if len(named):
        never = dom.subtree_sums(dom.has_tag(_NEVER_AMONG_COMMENTS).astype(np.int32))
        # Highlighters give comments in source code such class names, too.
        is_code = dom.preformatted | dom.has_tag({"code"})
        whole = dom.has_tag(_WHOLE_PAGE) | (dom.nearest(is_code) >= 0)
        named = named[(never[named] == 0) & ~whole[named]]
    return named, np.flatnonzero(is_comment & is_aside).astype(np.int32)


def _are_fields(segmentation: Segmentation, named: IntArray) -> BoolArray:
    """Which elements are a cell of a data table, or a single block of the form ``Comments: …``."""
    dom = segmentation.dom
    starts = np.searchsorted(segmentation.firsts, named)
    stops = np.searchsorted(segmentation.firsts, dom.ends[named])
    are_fields = np.zeros(len(named), dtype=np.bool_)
    for place in np.flatnonzero(stops - starts == 1).tolist():
        block = starts[place]
        is_cell = dom.tags[named[place]] in CELLS and segmentation.rows[block] >= 0
        start = segmentation.texts[block][:_FIELD_CHARACTERS]
        are_fields[place] = is_cell or _FIELD.match(start) is not None
    return are_fields


def _are_amid_text(segmentation: Segmentation, named: IntArray, words: Integers) -> BoolArray:
    """Which elements stand between sentences of the element around them: readers write below.

    words: for every block, the number of its words in sentences.
    """
    dom, firsts = segmentation.dom, segmentation.firsts
    others = np.where(dom.covered(named)[firsts], 0, words)
    before = np.concatenate([[0], np.cumsum(others)])
    around = dom.parents[named]
    starts, ends = (before[np.searchsorted(firsts, nodes)] for nodes in (named, dom.ends[named]))
    above = starts - before[np.searchsorted(firsts, around)]
    below = before[np.searchsorted(firsts, dom.ends[around])] - ends
    are_amid: BoolArray = (above > 0) & (below > 0)
    return are_amid


def _text_itself(segmentation: Segmentation, named: IntArray, words: Integers) -> int:
    """The named element that contains the main text itself, going by its name; -1 if none.

    It must hold most of the words, not counting those in other named elements inside it.

    words: for every block, the number of its words in sentences.
    """
    dom = segmentation.dom
    is_named = np.zeros(len(dom), dtype=np.bool_)
    is_named[named] = True
    holders = dom.nearest(is_named)[segmentation.firsts]
    # The entry for -1 counts the words outside all of them.
    own = np.bincount(holders + 1, words, len(dom) + 1)
    largest = int(own.argmax()) - 1
    if largest < 0 or 2 * own[largest + 1] <= words.sum():
        return -1
    names = " ".join(dom.attributes[largest].get(name) or "" for name in _ATTRIBUTES)
    says_so = any(_NAMES.bits_of(name) & (_TEXT | _COMMENT) == _TEXT for name in names.split())
    return largest if says_so else -1


def _bits(dom: Dom, stems: tuple[str, ...]) -> Integers:
    """For every node, the groups of its names; 0 if no value has any of the stems."""
    bits = np.zeros(len(dom), dtype=np.int64)
    for name in _ATTRIBUTES:
        attribute = dom.attribute(name)
        # Most pages have none in any value.
        if not _has_any("\n".join(attribute.values), stems):
            continue
        found = [_groups_of(value) if _has_any(value, stems) else 0 for value in attribute.values]
        bits[attribute.nodes] |= np.array(found, dtype=np.int64)[attribute.codes]
    return bits


def _has_any(names: str, stems: tuple[str, ...]) -> bool:
    lower = names.lower()
    return any(stem in lower for stem in stems)


def _groups_of(names: str) -> int:
    groups = 0
    for name in names[:MAX_NAME_CHARACTERS].split():
        found = _NAMES.bits_of(name)
        groups |= found & ~_COMMENT if found & _STATE else found
    return groups


def _words_in_sentences(selection: Selection) -> Integers:
    """For every block, the number of kept words; 0 if they are too few for a sentence."""
    words = np.array(
        [len(words_in(text)) for text in selection.segmentation.texts_of(selection.kept)]
    )
    words[words < _SENTENCE_WORDS] = 0
    return words


def _is_discussion(dom: Dom, words: Integers, inside: BoolArray, most: int) -> bool:
    """most: a discussion has fewer words in sentences outside its comments."""
    if any(map(_DISCUSSION.search, dom.attribute("itemtype").values)) or _declares_discussion(dom):
        return True
    if np.count_nonzero(_bits(dom, _OF_FORUMS) & _FORUM) >= _FORUM_NAMES:
        return True
    outside = words[~inside].sum()
    return bool(outside < most and words[inside].sum() > outside)


def _declares_discussion(dom: Dom) -> bool:
    """By JSON-LD."""
    return any(
        any(map(_DISCUSSION.search, dom.texts[script : dom.ends[script]]))
        for script in json_ld_scripts(dom)
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
        if times >= _REPEATS and len(words_in(text)) <= _SHORT_WORDS
    }
    is_label = np.array([text in often for text in texts], dtype=np.bool_)
    return shown & ~is_label
