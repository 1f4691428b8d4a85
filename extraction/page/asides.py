"""Text that is an aid to navigation or editing rather than content.

Permalinks of headings, links to edit a section, and line numbers of code.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Final

import numpy as np

from corpus_commons.markup.tags import HEADINGS, PREFORMATTED
from extraction.page.screen_readers import is_only_said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray

_PERMALINK_SIGNS: Final = frozenset("¶#§🔗⚓\uf0c1")
_EDIT_LINK = re.compile(r"(?:^|\s)(?:mw-)?editsection(?:\s|$)")
# Hexo, WordPress and SyntaxHighlighter; Rouge; Pygments; Hugo; highlight.js.
_GUTTER = re.compile(
    r"(?:^|\s)(?:gutter|lineno|rouge-gutter|linenos|linenodiv|lnt|ln|hljs-ln-numbers)(?:\s|$)"
)
_NUMBERS = re.compile(r"[\s\d]+")
# A link with more nodes is not a permalink.
_MOST_NODES: Final = 32


def asides(dom: Dom) -> Iterator[int]:
    """The text nodes to leave out."""
    return chain(_signs(dom), _permalinks(dom), _edit_links(dom), _line_numbers(dom))


def _signs(dom: Dom) -> Iterator[int]:
    """Links within the page whose text is a single permalink sign, such as ``¶``."""
    for node in np.flatnonzero((dom.lengths == 1) & (dom.links >= 0)).tolist():
        link = int(dom.links[node])
        if (
            not _PERMALINK_SIGNS.isdisjoint(dom.texts[node])
            and "#" in (dom.attributes[link].get("href") or "")
            and dom.ends[link] - link <= _MOST_NODES
            and dom.lengths[link : dom.ends[link]].sum() == 1
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
            texts = (np.flatnonzero(dom.has_text[link:end]) + link).tolist()
            words = "".join(dom.texts[node] for node in texts).strip().lower()
            if words == "permalink" or all(_is_unseen(dom, node, link) for node in texts):
                yield from texts


def _is_unseen(dom: Dom, node: int, link: int) -> bool:
    """Whether a class of the link, or of an element between it and the text, hides the text."""
    while node > link:
        node = int(dom.parents[node])
        if is_only_said(dom.attributes[node].get("class") or ""):
            return True
    return False


def _edit_links(dom: Dom) -> Iterator[int]:
    """``[edit]`` beside MediaWiki's headings."""
    elements = dom.attribute("class").where(
        lambda value: "editsection" in value and _EDIT_LINK.search(value)
    )
    if len(elements):
        yield from np.flatnonzero(dom.covered(elements) & dom.has_text).tolist()


def _line_numbers(dom: Dom) -> Iterator[int]:
    """Line numbers inside code, or in a table cell beside it."""
    if not len(dom.elements("pre")) and not len(dom.elements("code")):
        return
    gutters = dom.attribute("class").where(_GUTTER.search)
    if not len(gutters):
        return
    texts = np.flatnonzero(dom.covered(gutters) & dom.has_text)
    is_other = np.zeros(len(dom), dtype=np.int32)
    is_other[[node for node in texts.tolist() if not _NUMBERS.fullmatch(dom.texts[node])]] = 1
    gutters = gutters[dom.subtree_sums(is_other)[gutters] == 0]
    yield from np.flatnonzero(dom.covered(gutters) & dom.has_text & _by_code(dom)).tolist()


def _by_code(dom: Dom) -> BoolArray:
    """The nodes in preformatted text, or in a table row that contains code."""
    is_code = dom.has_tag(PREFORMATTED | {"code"})
    # Nodes outside all rows have the index -1, which is the appended entry.
    has_code = np.append(dom.subtree_sums(is_code.astype(np.int32)) > 0, False)
    is_beside: BoolArray = has_code[dom.nearest(dom.has_tag({"tr"}))]
    return is_beside | (dom.nearest(dom.has_tag(PREFORMATTED)) >= 0)
