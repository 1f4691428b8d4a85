"""Main content as GitHub-flavoured Markdown: CommonMark, tables and strikethrough.

Page text that Markdown would take for syntax is escaped, so a renderer shows the page's words.
https://spec.commonmark.org/ https://github.github.com/gfm/
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from extraction.formats.markdown_inline import inline, literal_line
from extraction.formats.passages import ITEMS, LISTS, Code, Heading, Path, Runs, Table, shared

if TYPE_CHECKING:
    from extraction.formats.content import Content
    from extraction.formats.passages import Cell, Passage, Place, Run

_BACKTICKS = re.compile(r"`+")
# The numbers of items have up to nine digits, and no sign.
_GREATEST_NUMBER: Final = 999_999_999
# A run of "#" at the end of a heading would be taken for a closing sequence.
_END_MARK = re.compile(r"(?<!\S)(?=#+$)")


class _Signs(NamedTuple):
    """The markers of a list's items."""

    bullet: str
    stop: str


_USUAL, _OTHER = _Signs("-", "."), _Signs("*", ")")


def write(content: Content) -> str:
    """Headings as ``#``, items as ``-`` or numbers, fenced code, pipe tables.

    A term and its definitions are an item: bold paragraphs, and what follows them.
    """
    lines: list[str] = []
    signs: dict[int, _Signs] = {}
    before: Passage | None = None
    last: Path = ()
    for passage in content.passages():
        path = tuple(map(_with_entry, passage.path))
        kept = shared(last, path)
        _choose_signs(signs, last, path, kept)
        if before is not None and not _is_tight(path, last, kept, before):
            lines.append(_prefix(path[:kept], kept, signs).rstrip())
        prefix = _prefix(path, kept, signs)
        for line in _lines(passage):
            lines.append(prefix + line if line else prefix.rstrip())
            prefix = _prefix(path, len(path), signs)
        before, last = passage, path
    return "\n".join(lines)


def _with_entry(place: Place) -> Place:
    """The place; for a term or definition, the place that all of its entry share."""
    return place if place.entry is None else place._replace(node=place.entry)


def _prefix(path: Path, entered: int, signs: dict[int, _Signs]) -> str:
    """The prefix of a line: markers of items that begin here, indents for all others.

    entered: how many of the places the previous line was already in.
    """
    pieces: list[str] = []
    for depth, place in enumerate(path):
        if place.tag in ITEMS:
            mark = _mark(place.number, signs[path[depth - 1].node])
            pieces.append(f"{mark} " if depth >= entered else " " * (len(mark) + 1))
        elif place.tag not in LISTS:
            pieces.append("> ")
    return "".join(pieces)


def _mark(number: int | None, signs: _Signs) -> str:
    if number is None:
        return signs.bullet
    return f"{min(max(number, 0), _GREATEST_NUMBER)}{signs.stop}"


def _choose_signs(signs: dict[int, _Signs], last: Path, path: Path, kept: int) -> None:
    """Choose markers for new lists; two adjacent lists get different ones, or they would be one."""
    for depth in range(kept, len(path)):
        if path[depth].tag in LISTS:
            neighbour = signs.get(last[kept].node) if depth == kept < len(last) else None
            signs[path[depth].node] = _OTHER if neighbour == _USUAL else _USUAL


def _is_tight(path: Path, last: Path, kept: int, before: Passage) -> bool:
    """Whether no empty line precedes a passage: if it is the next item, or an item's sublist.

    A sublist is set off from a term, as all of its definition.
    """
    if kept == len(path) or not kept:
        return False
    if path[kept - 1].tag in LISTS:
        return True
    # Only a list that starts with 1 may interrupt a paragraph.
    interrupts = path[kept].tag in LISTS and path[kept + 1].number in (None, 1)
    follows = len(last) == kept and last[-1].tag != "dt"
    return interrupts and follows and not isinstance(before, Table | Code)


def _lines(passage: Passage) -> list[str]:
    match passage:
        case Heading(_, runs, level):
            return ["#" * level + " " + _END_MARK.sub(r"\\", _one_line(runs, " "))]
        case Code(_, text, language):
            longest = max(map(len, _BACKTICKS.findall(text)), default=0)
            fence = "`" * max(3, longest + 1)
            return [f"{fence}{language}", *text.split("\n"), fence]
        case Table(_, rows):
            return _table(rows)
        case _:
            is_term = bool(passage.path) and passage.path[-1].tag == "dt"
            runs = tuple(map(_bold, passage.runs)) if is_term else passage.runs
            # Two trailing spaces make a line break; an empty line would end the paragraph.
            lines = re.split("\n+", inline(runs))
            return "  \n".join(map(literal_line, lines)).split("\n")


def _table(rows: tuple[tuple[Cell, ...], ...]) -> list[str]:
    """A table needs a header: the first row."""
    texts = [[_one_line(cell.runs, "<br>").replace("|", "\\|") for cell in row] for row in rows]
    header, *body = (f"| {' | '.join(cells)} |" for cells in texts)
    return [header, f"|{' --- |' * len(rows[0])}", *body]


def _bold(run: Run) -> Run:
    return run if "strong" in run.marks else run._replace(marks=("strong", *run.marks))


def _one_line(runs: Runs, break_as: str) -> str:
    return inline(runs).replace("\n", break_as)
