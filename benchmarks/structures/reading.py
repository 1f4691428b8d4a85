"""The structures and the words inside an element, so that they can be compared.

White space counts only in code. The signs by which superscripts, notes and permalinks may be
written never do.
"""

from __future__ import annotations

from collections import Counter
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from corpus_commons.compared_words import tokens
from corpus_commons.markup.tags import BLOCK_LEVEL, CELLS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from selectolax.lexbor import LexborNode

_HEADINGS: Final = "h1, h2, h3, h4, h5, h6"
_SIGNS: Final = str.maketrans("", "", '^()[]¶“”"\u00ad\u200b')
_PARTS_OF_LINES: Final = BLOCK_LEVEL | {"br"}


class Structures(NamedTuple):
    """How often there is each structure, given by what it says.

    tables: rows of cells, of those with two rows of several cells and without listings. headings.
    listings: the lines of preformatted text. definitions: with their terms. words.
    """

    tables: Counter[Hashable]
    headings: Counter[Hashable]
    listings: Counter[Hashable]
    definitions: Counter[Hashable]
    words: Counter[Hashable]


def structures(root: LexborNode, *, from_markdown: bool = False) -> Structures:
    """The structures inside an element.

    from_markdown: whether it is rendered Markdown, where a definition is an item of a list that
        begins with a bold paragraph, its term.
    """
    found = _items(root) if from_markdown else _definitions(root)
    return Structures(
        Counter(filter(None, map(_rows, root.css("table")))),
        Counter(filter(None, map(_text, root.css(_HEADINGS)))),
        Counter(filter(None, map(_lines, root.css("pre")))),
        Counter(found),
        Counter(tokens("".join(_spaced(root)))),
    )


def _text(*nodes: LexborNode, without: Callable[[LexborNode], bool] | None = None) -> str:
    """What the elements say, except in elements that ``without`` is true of."""
    text = "".join("".join(_texts(node, without)) for node in nodes)
    return "".join(text.translate(_SIGNS).split())


def _texts(node: LexborNode, without: Callable[[LexborNode], bool] | None) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield child.text()
        elif without is None or not without(child):
            yield from _texts(child, without)


def _spaced(node: LexborNode) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield child.text()
        else:
            space = " " if child.tag in _PARTS_OF_LINES else ""
            yield space
            yield from _spaced(child)
            yield space


def _lines(listing: LexborNode) -> tuple[str, ...]:
    lines = [line.rstrip() for line in listing.text().split("\n")]
    filled = [number for number, line in enumerate(lines) if line]
    return tuple(lines[filled[0] : filled[-1] + 1]) if filled else ()


def _rows(table: LexborNode) -> tuple[tuple[str, ...], ...]:
    """The rows with their cells, both if they have text; empty for other tables."""
    listings = table.css("pre")
    if table.css_first("table table") or any("\n" in pre.text().strip() for pre in listings):
        return ()
    rows = [
        tuple(filter(None, (_text(cell) for cell in row.iter() if cell.tag in CELLS)))
        for row in table.css("tr")
    ]
    is_table = sum(len(row) > 1 for row in rows) > 1
    return tuple(filter(None, rows)) if is_table else ()


def _definitions(root: LexborNode) -> Iterator[tuple[str, str]]:
    """Every ``<dd>``, with the terms before it."""
    for group in root.css("dl"):
        terms: list[LexborNode] = []
        is_open = False
        for item in _children(group):
            if item.tag == "dt":
                terms = [*terms, item] if is_open else [item]
            elif text := _text(item, without=lambda inner: inner.tag == "dl"):
                yield _text(*terms), text
            is_open = item.tag == "dt"


def _children(group: LexborNode) -> Iterator[LexborNode]:
    """The terms and definitions of a list, also those that a ``<div>`` groups."""
    for child in group.iter():
        if child.tag in ("dt", "dd"):
            yield child
        elif child.tag == "div":
            yield from _children(child)


def _items(root: LexborNode) -> Iterator[tuple[str, str]]:
    """Every paragraph, list and so on of items after their terms, joined for each."""
    for item in filter(_has_terms, root.css("li")):
        children = list(item.iter())
        terms = list(takewhile(_is_bold, children))
        text = _text(*children[len(terms) :], without=_has_terms)
        if text:
            yield _text(*terms), text


def _has_terms(node: LexborNode) -> bool:
    first = next(node.iter(), None) if node.tag == "li" else None
    return first is not None and _is_bold(first)


def _is_bold(node: LexborNode) -> bool:
    return node.tag == "p" and bool(_text(node)) and not _text(node, without=_is_strong)


def _is_strong(node: LexborNode) -> bool:
    return node.tag == "strong"
