"""Decides where to write a space between two texts of a line that have none in the markup.

Two adjacent inline elements (``<a>News</a><a>Sport</a>``) are usually separated by style, as are
labels, dates and prices. An element next to bare text (``<b>D</b>rop``) is part of a word, unless a
sentence begins there. So are elements that only change the typeface, and highlighted code.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.characters import UNSPACED, in_brackets
from corpus_commons.markup.tags import HEADINGS, JOINERS, TYPEFACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray

# Replaced elements: something visible is in their place.
_OBJECTS: Final = frozenset(("img", "svg", "input", "iframe"))

_CLOSING: Final = frozenset(",.;:!?%…、。，；：！？”’،؛؟।۔།။។")
# Text after an opening character continues it; a linking character continues the text before it.
_OPENING: Final = frozenset("“‘«$€£¥@#-–—/=_*")
_LINKING: Final = frozenset("-–—/'’»=_+")
_QUOTES: Final = frozenset("\"'")
# Elements of running text, which has its own spaces.
_HOLDS_PROSE: Final = frozenset(("p", "li", "dt"))
_PROSE_WORDS: Final = 8
# Running text in scripts without spaces has punctuation or long stretches without any.
_WIDE: Final = in_brackets(UNSPACED)
_UNSPACED: Final = re.compile(rf"[{_WIDE}\u3001-\u3011\uff01-\uff60]")
_UNSPACED_PROSE: Final = re.compile(rf"[。！？，；]|[{_WIDE}]{{30}}")
_STOPS: Final = ".:!?"
# A label before its value; also where a number names a part.
_LABEL: Final = re.compile(r"[^\W\d_]{2}:$|^\s*\d+\.$")
# A remark after words, rather than the parameters of a function or the end of a word(s).
_REMARK: Final = re.compile(r"\((?:[^\W\d_]{3}|e\.|i\.)")
# In these, names have parameters.
_HOLDS_NAMES: Final = HEADINGS | {"dt"}
# Characters that begin a separate label in the headings of documentation.
_LABELS: Final = frozenset("[•·|")


def set_apart(dom: Dom, nodes: IntArray) -> BoolArray:
    """For every node of the page, whether style separates it from the text node before it.

    nodes: the text nodes that count, ascending.
    """
    parents = dom.parents
    before, after = parents[nodes[:-1]], parents[nodes[1:]]
    is_typeface = dom.has_tag(TYPEFACE)
    touching = (dom.ends[before] <= nodes[1:]) & (after > nodes[:-1])
    touching &= ~(is_typeface[before] & is_typeface[after])
    if len(dom.elements("code")):
        codes = dom.nearest(dom.has_tag({"code"}))
        touching &= (codes[before] != codes[after]) | (codes[after] < 0)
    # These belong to what is before them.
    touching &= ~dom.has_tag({"sub", "sup"})[after]
    apart = np.zeros(len(dom), dtype=np.bool_)
    apart[nodes[1:]] = touching
    # Formulas have no words.
    as_it_is = dom.preformatted | dom.has_tag({"math"})
    if as_it_is.any():
        apart &= dom.nearest(as_it_is) < 0
    return apart


def joined(dom: Dom, lefts: IntArray, rights: IntArray) -> Iterator[int]:
    """Exceptions to ``set_apart``: those of the right texts that continue the left one.

    A ruby reading belongs to its base, and punctuation to what it closes. Sentences have their own
    spaces between words, even if an editor wraps every stretch in an element.
    """
    texts, containers = dom.texts, dom.containers
    spaced = cache(lambda container: _has_own_spaces(dom, container))
    unspaced = cache(lambda container: _needs_no_spaces(dom, container))
    for left_node, right_node in zip(lefts.tolist(), rights.tolist(), strict=True):
        left, right = texts[left_node], texts[right_node]
        if not left or not right or left[-1].isspace() or right[0].isspace():
            continue
        container = int(containers[right_node])
        tag = dom.tags[container]
        holds_prose = tag in _HOLDS_PROSE
        if (
            "rt" in (dom.tags[dom.parents[left_node]], dom.tags[dom.parents[right_node]])
            or _is_enclosed(left, right)
            or (tag == "dt" and _is_signature(left, right))
            or (
                holds_prose
                and not _are_two_links(dom, left_node, right_node)
                and not (right[0].isalnum() and _is_breakable(dom, left_node, right_node))
                and _goes_on(left, right)
                and spaced(container)
            )
            or (
                _is_unspaced(left, right)
                and (
                    _is_breakable(dom, left_node, right_node)
                    or (holds_prose and unspaced(container))
                )
            )
            # Javadoc's parameters of a method. Other elements around a <wbr> may be apart.
            or (_category(right[0]) == "Ps" and _is_breakable(dom, left_node, right_node))
        ):
            yield right_node


def parted(dom: Dom, nodes: IntArray, blocks: IntArray) -> Iterator[int]:
    """The text nodes that something other than white space or style separates from the one before.

    nodes: the text nodes that count, ascending. blocks: the block of each.
    """
    places = np.searchsorted(nodes, np.flatnonzero(dom.has_tag(_OBJECTS)))
    edges = np.flatnonzero(np.diff(dom.only_said[nodes])) + 1
    rights = np.unique(np.concatenate([places, edges]))
    rights = rights[(rights > 0) & (rights < len(nodes))]
    rights = rights[blocks[rights] == blocks[rights - 1]]
    for left, right in zip(nodes[rights - 1].tolist(), nodes[rights].tolist(), strict=True):
        if not _is_enclosed(dom.texts[left], dom.texts[right]):
            yield right
    yield from _beginnings(dom, nodes, blocks)


def _beginnings(dom: Dom, nodes: IntArray, blocks: IntArray) -> Iterator[int]:
    """Sentences, titles and remarks in brackets that begin at the edge of an element, right after
    another word, and what a label stands for.

    Names also have capitals inside (``<b>You</b>Tube``), but no other words in the same element.
    """
    lefts, rights = nodes[:-1], nodes[1:]
    # An empty element has edges, too, but for one that says where a word may be broken.
    is_edge = (dom.parents[lefts] != dom.parents[rights]) | (rights - lefts > 1)
    is_edge &= (blocks[:-1] == blocks[1:]) & ~dom.has_tag({"wbr"})[rights - 1]
    if dom.preformatted.any():
        is_edge &= dom.nearest(dom.preformatted)[rights] < 0
    for left, right in zip(lefts[is_edge].tolist(), rights[is_edge].tolist(), strict=True):
        before, text = dom.texts[left], dom.texts[right]
        is_start = text[:1].isupper() and (_has_words(text) or text.rstrip().endswith(":"))
        is_start |= bool(_REMARK.match(text)) and not _is_of_name(dom, right)
        if (is_start and _ends_word(before)) or (text[:1].isalpha() and _LABEL.search(before)):
            yield right


def _is_of_name(dom: Dom, node: int) -> bool:
    """Whether the text may be of a name in documentation."""
    return dom.tags[dom.containers[node]] in _HOLDS_NAMES or dom.tags[dom.parents[node]] == "code"


def _ends_word(text: str) -> bool:
    """Whether it has several words and ends in a lower-case letter, or in a full stop after one of
    any case.
    """
    word = text.rstrip(_STOPS)
    is_end = word[-1:].islower() or (word != text and word[-1:].isalnum())
    return is_end and _has_words(text)


def _has_words(text: str) -> bool:
    return len(text.split(None, 1)) > 1


def _is_enclosed(left: str, right: str) -> bool:
    """Whether the right text begins with closing punctuation, or the left ends with an opening."""
    first, last = right[:1], left[-1:]
    return (
        first in _CLOSING
        or last in JOINERS
        or _category(first) == "Pe"
        or _is_mark(first)
        or (_is_mark(left) and first.isalpha())
        or _category(last) == "Ps"
        or (left in _OPENING and first.isdigit())
        or (len(left) == len(right) == 1 and left.isalpha() and right.islower())
    )


def _is_breakable(dom: Dom, left: int, right: int) -> bool:
    """Whether a line may be broken between the text nodes, but the text does not end there."""
    return "wbr" in dom.tags[left + 1 : right]


def _are_two_links(dom: Dom, left: int, right: int) -> bool:
    """Whether the text nodes are in links to different places."""
    links = int(dom.links[left]), int(dom.links[right])
    if -1 in links:
        return False
    targets = [dom.attributes[link].get("href") for link in links]
    return targets[0] != targets[1]


def _goes_on(left: str, right: str) -> bool:
    """Whether the right text continues a word of the left, or what it opens."""
    first, last = right[0], left[-1]
    if first in _LINKING:
        return True
    is_open = last in _OPENING or (last in _QUOTES and not left[-2:-1].strip())
    if first.isalnum() and is_open:
        return True
    ends_in_word = last.isalnum() or last == "." or _is_mark(last)
    return first.isalpha() and not first.isupper() and ends_in_word


def _is_unspaced(left: str, right: str) -> bool:
    """Whether the texts meet inside a script without spaces, or where it touches a word."""
    first, last = right[0], left[-1]
    if _UNSPACED.match(last):
        return first.isalnum() or _UNSPACED.match(first) is not None
    return last.isalnum() and _UNSPACED.match(first) is not None


def _is_signature(left: str, right: str) -> bool:
    """Whether the two are parts of a signature, as in ``list.append(x)``."""
    return not (left[-1].isalnum() and right[0].isalnum()) and right[0] not in _LABELS


def _has_own_spaces(dom: Dom, container: int) -> bool:
    """Whether the texts of the line have spaces at their edges, or are whole sentences."""
    nodes = _own_texts(dom, container)
    for node in nodes:
        text = dom.texts[node]
        if (
            dom.parents[node] == container
            or (node != nodes[0] and text[0].isspace())
            or (node != nodes[-1] and text[-1].isspace())
            or len(text.split(None, _PROSE_WORDS)) >= _PROSE_WORDS
        ):
            return True
    return False


def _needs_no_spaces(dom: Dom, container: int) -> bool:
    """Whether the line is running text in a script without spaces."""
    return any(_UNSPACED_PROSE.search(dom.texts[node]) for node in _own_texts(dom, container))


def _own_texts(dom: Dom, container: int) -> list[int]:
    stretch = slice(container + 1, int(dom.ends[container]))
    own = (dom.containers[stretch] == container) & dom.has_text[stretch]
    nodes: list[int] = (np.flatnonzero(own) + stretch.start).tolist()
    return nodes


def _is_mark(text: str) -> bool:
    """Whether the text is a single modifier or combining character."""
    return len(text) == 1 and _category(text).startswith("M")


def _category(character: str) -> str:
    return unicodedata.category(character) if character else ""
