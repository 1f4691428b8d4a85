"""Blocks of text: their role, how a browser draws them, and how they are joined to a document."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Final, Literal

from corpus_commons.markup.segment_breaks import without_segment_breaks
from corpus_commons.markup.tags import JOINED, SHAPERS, ZERO_WIDTH

BlockKind = Literal["heading", "paragraph", "list-item", "table-row", "code"]

# White space to be replaced by a single space; a single space need not match.
_SPACE = re.compile(r" *+[\t\n\r\f\v\u00a0][ \t\n\r\f\v\u00a0]*+|  ++")
_UNDRAWN = re.compile(f"[{ZERO_WIDTH}]+")
# Whole runs only: whether one is stray is decided at its end, once.
_STRAY_SHAPERS = re.compile(
    rf"(?<![{SHAPERS}])[{SHAPERS}]++(?<![{JOINED}][{SHAPERS}])(?![{JOINED}])"
)
# Removed from preformatted text: carriage returns, form feeds and vertical tabs. Its no-break
# spaces indent lines.
_PLAIN = str.maketrans("\u00a0", " ", "\v\f\r")
_SPACE_AROUND_BREAK = re.compile(r" *\n *")
# Placeholder for <br> while white space is collapsed; a parsed page contains no NUL.
BREAK = "\0"
# In preformatted text, with the line feed that many editors put after it.
_BREAKS = re.compile(f"{BREAK}\n?")
# Placeholder for the edge of a line of code that is an element; nor does it contain lone
# surrogates.
EDGE = "\ud800"
# Between the texts of blocks; no text contains it.
_NEXT: Final = "\x01"
_INDENT: Final = "    "


@dataclass(frozen=True, slots=True)
class Block:
    """A kept block of text.

    text: the block's text, white space collapsed (not in ``code``), ``<br>`` as a newline.
    kind: its role on the page.
    probability: that it is main content, in [0, 1]; None if the method gives no probabilities.
    comment: whether it is in readers' comments; only known if the user asked to keep these.
    indent: in how many definitions of terms it is.
    """

    text: str
    kind: BlockKind = "paragraph"
    probability: float | None = None
    comment: bool = False
    indent: int = 0


def join(blocks: tuple[Block, ...]) -> str:
    r"""The text of a document: items and rows on consecutive lines, the rest as paragraphs.

    Definitions are indented, which tells them from their terms.

    >>> join((Block("A", "heading"), Block("x", "list-item"), Block("y", "list-item", indent=1)))
    'A\n\nx\n    y'
    """
    pieces: list[str] = []
    before: BlockKind | None = None
    for block in blocks:
        if before is not None:
            tight = block.kind == before and block.kind in ("list-item", "table-row")
            pieces.append("\n" if tight else "\n\n")
        pieces.append(indent(block.text, _INDENT * block.indent) if block.indent else block.text)
        before = block.kind
    return "".join(pieces)


def drawn(texts: Sequence[str], kinds: Sequence[BlockKind]) -> list[str]:
    """The texts of blocks as a browser draws them.

    texts: as in the source; may contain BREAK and EDGE, but no other control characters.
    """
    found = list(texts)
    every = enumerate(zip(texts, kinds, strict=True))
    plain = [number for number, (text, kind) in every if kind != "code" and text.isascii()]
    # All at once, because most texts are short.
    joined = " ".join(_NEXT.join([texts[number] for number in plain]).split())
    for number, text in zip(plain, joined.split(_NEXT), strict=False):
        found[number] = _broken(text)
    for number, (text, kind) in enumerate(zip(texts, kinds, strict=True)):
        if kind == "code":
            found[number] = _preformatted(text)
        elif not text.isascii():
            found[number] = _broken(_collapsed(text))
    return found


def _collapsed(text: str) -> str:
    text = _STRAY_SHAPERS.sub("", _UNDRAWN.sub("", text))
    return _SPACE.sub(" ", without_segment_breaks(text))


def _broken(text: str) -> str:
    """The collapsed text with its line breaks."""
    if BREAK in text:
        text = _SPACE_AROUND_BREAK.sub("\n", text.replace(BREAK, "\n"))
    return text.strip()


def _preformatted(text: str) -> str:
    lines = _BREAKS.sub("\n", text.translate(_PLAIN)).split(EDGE)
    if len(lines) > 1:
        # A line is ended by its edge, or by a <br> just before that.
        lines = [line.removesuffix("\n") for line in lines if line]
    return "\n".join(lines).strip("\n").rstrip()
