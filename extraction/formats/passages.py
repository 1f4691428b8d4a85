"""Kept content in the shape that Markdown and HTML share: passages, each in its place.

A page is read into passages once (``extraction.formats.reading``); a writer needs no tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Mark = Literal["strong", "em", "s", "sub", "sup", "code"]
PlaceTag = Literal["ul", "ol", "dl", "li", "dt", "dd", "blockquote"]

LISTS = frozenset(("ul", "ol", "dl"))
ITEMS = frozenset(("li", "dt", "dd"))


class Place(NamedTuple):
    """An element that stands round passages: a list, an item, a quotation.

    node: which element of the page it is; two places of one element are the same place.
    number: of an item of an ordered list; None for all others.
    """

    node: int
    tag: PlaceTag
    number: int | None = None


Path = tuple[Place, ...]


class Picture(NamedTuple):
    """An image. url: absolute, ``http`` or ``https``. alt: its text, perhaps empty."""

    url: str
    alt: str


class Run(NamedTuple):
    """A stretch of text that looks the same all through, or a picture.

    text: white space collapsed, a newline for every ``<br>``; empty for a picture.
    marks: how it is set, innermost last.
    link: the absolute URL that it leads to; empty if none.
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
    """text: as written, lines and indents kept. language: as its class names it; perhaps empty."""

    path: Path
    text: str
    language: str = ""


class Cell(NamedTuple):
    """A cell of a table; without runs where the table has one that is empty or was not kept."""

    runs: Runs = ()
    is_header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """rows: of cells, by column from the left; later columns of a row may be missing."""

    path: Path
    rows: tuple[tuple[Cell, ...], ...]


Passage = Paragraph | Heading | Code | Table


def shared(before: Path, after: Path) -> int:
    """How many places the two are both in."""
    count = 0
    for left, right in zip(before, after, strict=False):
        if left.node != right.node:
            break
        count += 1
    return count
