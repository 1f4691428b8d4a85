"""Main content as HTML: a fragment of few elements, with no attributes but href, src and alt."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from extraction.formats.passages import (
    ITEMS,
    Code,
    Heading,
    Paragraph,
    Path,
    Run,
    Runs,
    Table,
    shared,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from extraction.formats.content import Content
    from extraction.formats.passages import Cell, Mark, Passage

# Elements whose tags are written on lines of their own.
_WRAPPERS = frozenset(("ul", "ol", "dl", "blockquote"))
# What MathJax and KaTeX look for.
_FORMULA_SIGNS = {"formula": (r"\(", r"\)"), "display": (r"\[", r"\]")}
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def write(content: Content) -> str:
    """A well-formed fragment; whatever the page contains, it runs nothing and loads only images."""
    return "".join(_pieces(content.passages(superscripts=True))).strip("\n")


def _pieces(passages: Iterable[Passage]) -> Iterator[str]:
    before: Path = ()
    for passage in passages:
        kept = shared(before, passage.path)
        closed, opened = before[kept:], passage.path[kept:]
        yield _closed(closed)
        if _is_undefined(closed, opened):
            yield "\n<dd></dd>"
        yield "".join(f"\n<{place.tag}>" for place in opened)
        in_new_item = bool(opened) and opened[-1].tag in ITEMS
        if in_new_item and isinstance(passage, Paragraph):
            yield _inline(passage.runs)
        else:
            yield f"\n{_element(passage)}"
        before = passage.path
    yield _closed(before)


def _is_undefined(closed: Path, opened: Path) -> bool:
    """Whether a term without a definition is followed by a term of another entry."""
    if not closed or not opened or not closed[0].tag == opened[0].tag == "dt":
        return False
    return closed[0].entry != opened[0].entry


def _closed(places: Path) -> str:
    return "".join(
        f"\n</{place.tag}>" if place.tag in _WRAPPERS else f"</{place.tag}>"
        for place in reversed(places)
    )


def _element(passage: Passage) -> str:
    match passage:
        case Heading(_, runs, level):
            return f"<h{level}>{_inline(runs)}</h{level}>"
        case Code(_, text, _):
            return f"<pre><code>{_escaped(text)}</code></pre>"
        case Table(_, rows):
            return f"<table>\n{''.join(map(_row, rows))}</table>"
        case _:
            return f"<p>{_inline(passage.runs)}</p>"


def _row(cells: tuple[Cell, ...]) -> str:
    return f"<tr>{''.join(map(_cell, cells))}</tr>\n"


def _cell(cell: Cell) -> str:
    tag = "th" if cell.is_header else "td"
    return f"<{tag}>{_inline(cell.runs)}</{tag}>"


def _inline(runs: Runs) -> str:
    return "".join(_link(url, list(linked)) for url, linked in groupby(runs, lambda run: run.link))


def _link(url: str, runs: list[Run]) -> str:
    inner = _marked(runs, 0)
    return f'<a href="{_escaped(url)}">{inner}</a>' if url else inner


def _marked(runs: list[Run], depth: int) -> str:
    """The runs, all with the same marks up to ``depth``, with elements for the marks beyond it."""
    pieces: list[str] = []
    for mark, group in groupby(runs, lambda run: run.marks[depth : depth + 1]):
        marked = list(group)
        inner = _marked(marked, depth + 1) if mark else "".join(map(_leaf, marked))
        pieces.append(_enclosed(inner, mark[0]) if mark else inner)
    return "".join(pieces)


def _enclosed(inner: str, mark: Mark) -> str:
    opening, closing = _FORMULA_SIGNS.get(mark, (f"<{mark}>", f"</{mark}>"))
    return f"{opening}{inner}{closing}"


def _leaf(run: Run) -> str:
    if run.picture is not None:
        return f'<img src="{_escaped(run.picture.url)}" alt="{_escaped(run.picture.alt)}">'
    return _escaped(run.text).replace("\n", "<br>\n")


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)
