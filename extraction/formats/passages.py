"""Kept content as passages, each in its place: the common input of the Markdown and HTML writers.

``extraction.formats.reading`` makes them from the tree, which the writers do not need.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Mark = Literal["strong", "em", "s", "sub", "sup", "code", "formula", "display"]
PlaceTag = Literal["ul", "ol", "dl", "li", "dt", "dd", "blockquote"]

LISTS = frozenset(("ul", "ol", "dl"))
ITEMS = frozenset(("li", "dt", "dd"))


class Place(NamedTuple):
    """An element around passages: a list, an item, a quotation.

    node: the element's index; places with the same node are the same place.
    number: the number of an item of an ordered list; None for all others.
    entry: for a term or definition, the first term that belongs with it, or the definition if there
        is none; None for all others.
    """

    node: int
    tag: PlaceTag
    number: int | None = None
    entry: int | None = None


Path = tuple[Place, ...]


class Picture(NamedTuple):
    """An image. url: absolute, ``http`` or ``https``. alt: its text, may be empty."""

    url: str
    alt: str


class Run(NamedTuple):
    """A stretch of text with the same format throughout, or a picture.

    text: white space collapsed, a newline for every ``<br>``; empty for a picture.
    marks: bold, italic and so on, innermost last. The text of a ``formula`` is TeX; a ``display``
        is one on lines of its own.
    link: the absolute URL of the link that it is in; empty if none.
    """

    text: str
    marks: tuple[Mark, ...] = ()
    link: str = ""
    picture: Picture | None = None


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    path: Path
    runs: Runs


@dataclass(frozen=True, slots=True)
class Heading:
    """level: 1 to 6."""

    path: Path
    runs: Runs
    level: int


@dataclass(frozen=True, slots=True)
class Code:
    """text: with its lines and indents. language: from its class name; may be empty."""

    path: Path
    text: str
    language: str = ""


class Cell(NamedTuple):
    """A cell of a table; without runs if it is empty or was not kept."""

    runs: Runs = ()
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """rows: their cells from left to right; the first row is as long as the longest."""

    path: Path
    rows: tuple[tuple[Cell, ...], ...]


Passage = Paragraph | Heading | Code | Table


def shared(before: Path, after: Path) -> int:
    """The length of the common prefix of the two paths."""
    count = 0
    for left, right in zip(before, after, strict=False):
        if left.node != right.node:
            break
        count += 1
    return count
