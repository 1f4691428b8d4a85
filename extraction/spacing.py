"""Where white space stands between two texts of a line, though the markup has none.

Two inline elements that touch (``<a>News</a><a>Sport</a>``) are set apart by style, as labels,
dates and prices are. An element that touches bare text (``<b>D</b>rop``) is part of a word, as are
elements that only change the typeface and the coloured parts of code; but where a sentence begins.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from extraction.screen_readers import only_said
from markup.characters import UNSPACED, in_brackets
from markup.tags import JOINERS, TYPEFACE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markup.dom import BoolArray, Dom, IntArray

# Something is seen in their place.
_OBJECTS: Final = frozenset(("img", "svg", "input", "iframe"))

_CLOSING: Final = frozenset(",.;:!?%…、。，；：！？”’،؛؟।۔།။។")
# What follows one of these goes on with it, and these go on with what is before them.
_OPENING: Final = frozenset("“‘«$€£¥@#-–—/=_*")
_LINKING: Final = frozenset("-–—/'’»=_+")
_QUOTES: Final = frozenset("\"'")
# Text in sentences has its own spaces.
_HOLDS_PROSE: Final = frozenset(("p", "li", "dt"))
_PROSE_WORDS: Final = 8
# The same in scripts without spaces, which have punctuation in sentences, or long stretches.
_WIDE: Final = in_brackets(UNSPACED)
_UNSPACED: Final = re.compile(rf"[{_WIDE}\u3001-\u3011\uff01-\uff60]")
_UNSPACED_PROSE: Final = re.compile(rf"[。！？，；]|[{_WIDE}]{{30}}")
_STOPS: Final = ".:!?"
# Nodes without text between the start of a quotation and who is quoted.
_MOST_BEFORE: Final = 8
# Signs in the headings of documentation that begin a label of their own.
_LABELS: Final = frozenset("[•·|")


def set_apart(dom: Dom, nodes: IntArray) -> BoolArray:
    """Which text nodes style sets apart from the one before, as far as elements tell.

    nodes: the text nodes that count, ascending. Returned is an entry for every node of the page.
    """
    parents = dom.parents
    before, after = parents[nodes[:-1]], parents[nodes[1:]]
    is_typeface, is_code = dom.has_tag(TYPEFACE), dom.has_tag({"code"})
    touching = (dom.ends[before] <= nodes[1:]) & (after > nodes[:-1])
    touching &= ~(is_typeface[before] & is_typeface[after]) & ~is_code[parents[after]]
    apart = np.zeros(len(dom), dtype=np.bool_)
    apart[nodes[1:]] = touching
    if dom.preformatted.any():
        apart &= dom.nearest(dom.preformatted) < 0
    return apart


def joined(dom: Dom, lefts: IntArray, rights: IntArray) -> Iterator[int]:
    """Of texts set apart from those on their left, the ones that go on with them all the same.

    The reading of ruby belongs to its base, punctuation to what it closes; and sentences have
    spaces of their own between words, though an editor wraps every stretch in an element.
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
            or (holds_prose and _goes_on(left, right) and spaced(container))
            or (
                _is_unspaced(left, right)
                and (
                    "wbr" in dom.tags[left_node + 1 : right_node]
                    or (holds_prose and unspaced(container))
                )
            )
        ):
            yield right_node


def parted(dom: Dom, nodes: IntArray, blocks: IntArray) -> Iterator[int]:
    """The text nodes that something other than white space parts from the one before.

    nodes: the text nodes that count, ascending. blocks: the block of each.
    """
    objects = np.flatnonzero(dom.has_tag(_OBJECTS))
    ends = [int(dom.ends[cite]) for cite in _attributions(dom)]
    places = np.searchsorted(nodes, [*objects.tolist(), *ends])
    edges = np.flatnonzero(np.diff(only_said(dom)[nodes])) + 1
    rights = np.unique(np.concatenate([places, edges]))
    rights = rights[(rights > 0) & (rights < len(nodes))]
    rights = rights[blocks[rights] == blocks[rights - 1]]
    for left, right in zip(nodes[rights - 1].tolist(), nodes[rights].tolist(), strict=True):
        if not _is_enclosed(dom.texts[left], dom.texts[right]):
            yield right
    yield from _beginnings(dom, nodes, blocks)


def _beginnings(dom: Dom, nodes: IntArray, blocks: IntArray) -> Iterator[int]:
    """Sentences and titles that begin at the edge of an element, right after another word.

    Names have capitals inside, too (``<b>You</b>Tube``), but no other words in the same element.
    """
    lefts, rights = nodes[:-1], nodes[1:]
    is_edge = (blocks[:-1] == blocks[1:]) & (dom.parents[lefts] != dom.parents[rights])
    if dom.preformatted.any():
        is_edge &= dom.nearest(dom.preformatted)[rights] < 0
    for left, right in zip(lefts[is_edge].tolist(), rights[is_edge].tolist(), strict=True):
        text = dom.texts[right]
        is_start = text[:1].isupper() and (_has_words(text) or text.rstrip().endswith(":"))
        if is_start and _ends_word(dom.texts[left]):
            yield right


def _ends_word(text: str) -> bool:
    """Whether it ends in a small letter or a full stop, and not with its first word."""
    word = text.rstrip(_STOPS)
    is_end = word[-1:].islower() or (word != text and word[-1:].isdigit())
    return is_end and _has_words(text)


def _has_words(text: str) -> bool:
    return len(text.split(None, 1)) > 1


def _attributions(dom: Dom) -> Iterator[int]:
    """Who is quoted, where a quotation begins with it."""
    cites = dom.elements("cite")
    if not len(cites) or not len(dom.elements("blockquote")):
        return
    quotations = dom.nearest(dom.has_tag({"blockquote"}))[cites]
    for cite, quotation in zip(cites.tolist(), quotations.tolist(), strict=True):
        is_near = quotation >= max(cite - _MOST_BEFORE, 0)
        if is_near and not dom.has_text[quotation:cite].any():
            yield cite


def _is_enclosed(left: str, right: str) -> bool:
    """Whether the right text begins with what closes the left, or the left ends with an opening."""
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


def _goes_on(left: str, right: str) -> bool:
    """Whether the right text goes on with a word of the left, or what it brackets."""
    first, last = right[0], left[-1]
    if first in _LINKING:
        return True
    is_open = last in _OPENING or (last in _QUOTES and not left[-2:-1].strip())
    if first.isalnum() and is_open:
        return True
    ends_in_word = last.isalnum() or last == "." or _is_mark(last)
    return first.isalpha() and not first.isupper() and ends_in_word


def _is_unspaced(left: str, right: str) -> bool:
    """Whether the two texts touch in a script without spaces, at a number or a word at most."""
    first, last = right[0], left[-1]
    if _UNSPACED.match(last):
        return first.isalnum() or _UNSPACED.match(first) is not None
    return last.isalnum() and _UNSPACED.match(first) is not None


def _is_signature(left: str, right: str) -> bool:
    """Whether the two are a name and its punctuation, as in ``list.append(x)``."""
    return not (left[-1].isalnum() and right[0].isalnum()) and right[0] not in _LABELS


def _has_own_spaces(dom: Dom, container: int) -> bool:
    """Whether the line has white space between words that touch an element, or a sentence."""
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
    """Whether the line holds prose in a script without spaces."""
    return any(_UNSPACED_PROSE.search(dom.texts[node]) for node in _own_texts(dom, container))


def _own_texts(dom: Dom, container: int) -> list[int]:
    stretch = slice(container + 1, int(dom.ends[container]))
    own = (dom.containers[stretch] == container) & dom.has_text[stretch]
    nodes: list[int] = (np.flatnonzero(own) + stretch.start).tolist()
    return nodes


def _is_mark(text: str) -> bool:
    """Whether the text is one sign over, under or beside a letter."""
    return len(text) == 1 and _category(text).startswith("M")


def _category(character: str) -> str:
    return unicodedata.category(character) if character else ""
