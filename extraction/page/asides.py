"""Text that is an aid to navigation or editing rather than content.

Permalinks of headings, links back from notes, links to edit a section or to unfold a text,
line numbers of code, buttons and links to copy or select it, buttons beside a heading, and what
screen readers say of a text that is shown.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.preformatted import GUTTER
from corpus_commons.markup.screen_readers import is_only_said
from corpus_commons.markup.tags import BLOCK_LEVEL, HEADINGS, INVISIBLE
from extraction.page.said_and_shown import said_and_shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray

# Of permalinks, and of links back from notes.
_SIGNS: Final = frozenset("¶#§🔗⚓\uf0c1↩↵⏎↑^")
# They make a sign a picture, or keep it from being one.
_VARIATION: Final = "\ufe0e\ufe0f"
# MediaWiki; XenForo.
_TOOL = re.compile(
    r"(?:^|\s)(?:(?:mw-)?editsection|mw-cite-backlink|quoteExpand|(?:bbCodeBlock-|js-)expandLink)"
    r"(?:\s|$)"
)
_OF_RUSTDOC = re.compile(r"(?:^|\s)hideme(?:\s|$)")
_NOT_SELECTED = re.compile(r"user-select\s*:\s*none")
_TO_COPY: Final = frozenset(
    (
        *("copy", "copy code", "copy to clipboard", "copied", "copied!", "kopieren", "copier"),
        *("copiar", "копировать", "复制", "复制代码", "复制成功"),
    )
)
_MOST_DIGITS: Final = 5
_NUMBERS = re.compile(r"[\s\d]+")
# A link with more nodes is not a permalink, and a button farther behind the beginning of a heading
# not beside its words.
_MOST_NODES: Final = 32


def asides(dom: Dom) -> Iterator[int]:
    """The text nodes to leave out."""
    kinds = (_signs, _permalinks, _tools, _buttons_of_headings, said_and_shown)
    everywhere = chain.from_iterable(kind(dom) for kind in kinds)
    if not dom.preformatted.any() and not len(dom.elements("code")):
        return everywhere
    return chain(everywhere, _line_numbers(dom), _buttons(dom), _selectors(dom))


def _signs(dom: Dom) -> Iterator[int]:
    """Links within the page whose text is a single sign, such as ``¶``."""
    is_short = (dom.lengths > 0) & (dom.lengths <= 1 + len(_VARIATION))
    for node in np.flatnonzero(is_short & (dom.links >= 0)).tolist():
        link = int(dom.links[node])
        if (
            dom.texts[node].strip(INVISIBLE).rstrip(_VARIATION) in _SIGNS
            and "#" in (dom.attributes[link].get("href") or "")
            and dom.ends[link] - link <= _MOST_NODES
            and dom.lengths[link : dom.ends[link]].sum() == dom.lengths[node]
            # Without it, brackets around it would be empty.
            and not dom.texts[link - 1].endswith(("[", "("))
        ):
            yield node


def _permalinks(dom: Dom) -> Iterator[int]:
    """Links at the end of a heading to that heading, hidden or with the text "permalink"."""
    links, headings = dom.elements("a"), np.flatnonzero(dom.has_tag(HEADINGS))
    if not len(links) or not len(headings):
        return
    nearest = headings[np.maximum(np.searchsorted(headings, links) - 1, 0)]
    is_inside = (nearest < links) & (links < dom.ends[nearest])
    for heading, link in zip(nearest[is_inside].tolist(), links[is_inside].tolist(), strict=True):
        name = dom.attributes[heading].get("id")
        end = int(dom.ends[link])
        if (
            name
            and dom.attributes[link].get("href") == f"#{name}"
            and end - link <= _MOST_NODES
            and dom.has_text[heading:link].any()
        ):
            texts = _texts_in(dom, link)
            words = "".join(dom.texts[node] for node in texts).strip().lower()
            if words == "permalink" or all(_is_unseen(dom, node, link) for node in texts):
                yield from texts


def _buttons_of_headings(dom: Dom) -> Iterator[int]:
    """The labels of buttons after the words of a heading, but those that unfold its section."""
    buttons = dom.elements("button")
    headings = dom.nearest(dom.has_tag(HEADINGS))[buttons]
    is_near = (headings >= 0) & (buttons - headings <= _MOST_NODES)
    is_near &= ~np.isin(buttons, dom.attribute("aria-expanded").nodes)
    for button, heading in zip(buttons[is_near].tolist(), headings[is_near].tolist(), strict=True):
        if any(map(str.isalpha, chain.from_iterable(dom.texts[heading:button]))):
            yield from _texts_in(dom, button)


def _texts_in(dom: Dom, element: int) -> list[int]:
    """The text nodes with text in an element."""
    found: list[int] = (
        np.flatnonzero(dom.has_text[element : dom.ends[element]]) + element
    ).tolist()
    return found


def _is_unseen(dom: Dom, node: int, link: int) -> bool:
    """Whether a class of the link, or of an element between it and the text, hides the text."""
    while node > link:
        node = int(dom.parents[node])
        if is_only_said(dom.attributes[node].get("class") or ""):
            return True
    return False


def _tools(dom: Dom) -> Iterator[int]:
    """``[edit]`` beside headings and ``^ a b`` before notes, in MediaWiki; "Click to expand" below
    quotations; "Expand description" above what Rust's documentation shows unfolded.
    """
    classes = dom.attribute("class")
    summaries = np.intersect1d(classes.where(_OF_RUSTDOC.search), dom.elements("summary"))
    return _texts_in_any(dom, np.union1d(classes.where(_TOOL.search), summaries))


def _line_numbers(dom: Dom) -> Iterator[int]:
    """Line numbers inside code, or in a table cell beside it."""
    gutters = np.unique(
        np.concatenate(
            [
                dom.attribute("class").where(GUTTER.search),
                dom.attribute("style").where(_NOT_SELECTED.search),
                dom.attribute("data-nosnippet").nodes,
                _counts_of_lines(dom),
            ]
        )
    )
    if not len(gutters):
        return
    texts = np.flatnonzero(dom.covered(gutters) & dom.has_text)
    is_other = np.zeros(len(dom), dtype=np.int32)
    is_other[[node for node in texts.tolist() if not _NUMBERS.fullmatch(dom.texts[node])]] = 1
    gutters = gutters[dom.subtree_sums(is_other)[gutters] == 0]
    yield from np.flatnonzero(dom.covered(gutters) & dom.has_text & _by_code(dom)).tolist()


def _counts_of_lines(dom: Dom) -> IntArray:
    """Elements in code that count its lines, each right before a line that is an element."""
    listings = dom.nearest(dom.preformatted)
    is_short = dom.has_text & (dom.lengths <= _MOST_DIGITS) & (listings >= 0)
    columns: dict[tuple[int, str], dict[int, int]] = {}
    for node in np.flatnonzero(is_short).tolist():
        element, text = int(dom.parents[node]), dom.texts[node].strip()
        end = int(dom.ends[element])
        is_before_line = end < len(dom) and dom.tags[end] in BLOCK_LEVEL
        if text.isdecimal() and is_before_line and dom.parents[end] == dom.parents[element]:
            column = int(listings[node]), dom.attributes[element].get("class") or ""
            columns.setdefault(column, {})[element] = int(text)
    found = [column for column in columns.values() if _counts_on([*column.values()])]
    return np.array([*chain.from_iterable(found)], dtype=np.int32)


def _counts_on(numbers: list[int]) -> bool:
    return len(numbers) > 1 and numbers == [*range(numbers[0], numbers[0] + len(numbers))]


def _buttons(dom: Dom) -> Iterator[int]:
    """The labels of buttons in code, and of those that copy it."""
    buttons = dom.elements("button")
    in_code = dom.nearest(dom.preformatted)[buttons] >= 0
    for button, is_inside in zip(buttons.tolist(), in_code.tolist(), strict=True):
        texts = _texts_in(dom, button)
        label = " ".join("".join(dom.texts[node] for node in texts).split())
        if is_inside or label.lower() in _TO_COPY:
            yield from texts


def _selectors(dom: Dom) -> Iterator[int]:
    """The labels of links that select a listing, as phpBB and SMF have them."""
    by_script = dom.attribute("onclick").where(lambda value: "selectCode(" in value)
    by_name = dom.attribute("class").where(lambda value: "codeoperation" in value)
    return _texts_in_any(dom, np.union1d(by_script, by_name))


def _texts_in_any(dom: Dom, elements: IntArray) -> Iterator[int]:
    if len(elements):
        yield from np.flatnonzero(dom.covered(elements) & dom.has_text).tolist()


def _by_code(dom: Dom) -> BoolArray:
    """The nodes in preformatted text, or in a table row that contains code."""
    is_code = dom.preformatted | dom.has_tag({"code"})
    # Nodes outside all rows have the index -1, which is the appended entry.
    has_code = np.append(dom.subtree_sums(is_code.astype(np.int32)) > 0, False)
    is_beside: BoolArray = has_code[dom.nearest(dom.has_tag({"tr"}))]
    return is_beside | (dom.nearest(dom.preformatted) >= 0)
