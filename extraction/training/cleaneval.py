"""CleanEval's text format, and its splits.

In the format every segment begins with ``<h>`` for headings, ``<p>`` for paragraphs or ``<l>`` for
items of lists, as the annotation guidelines of the contest (2007) say.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterator

from extraction.labelled import LabelledPage
from extraction.page.blocks import Block, BlockKind
from extraction.result import Extraction

_MARKS: dict[BlockKind, str] = {"heading": "h", "list-item": "l"}
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n\s*")


def add_split(parser: ArgumentParser) -> None:
    """``--split``: one of Web2Text's two splits of CleanEval."""
    parser.add_argument(
        "--split",
        choices=("w2t", "w2t_ce_test"),
        default="w2t",
        help="whose test pages: Web2Text's own 148, or CleanEval's 676 (default: %(default)s)",
    )


def part_of(page: LabelledPage, split: str) -> str | None:
    """The page's part of a split: ``train``, ``test``, or None if it is in neither."""
    if split == "w2t":
        return page.meta.get(split)
    return "test" if page.meta.get(split) else "train"


def tagged(extraction: Extraction) -> str:
    r"""The main content in CleanEval's format: one segment per line, separated by empty lines.

    Works for every method; if a method returns only text, every paragraph becomes a ``<p>``. Empty
    lines inside a preformatted block also separate paragraphs.

    >>> from extraction.page.blocks import Block
    >>> tagged(Extraction("", (Block("News", "heading"), Block("It rained."))))
    '<h>News\n\n<p>It rained.'
    >>> tagged(Extraction("It rained.\n\nA lot."))
    '<p>It rained.\n\n<p>A lot.'
    """
    blocks = extraction.blocks or (Block(extraction.text),)
    return "\n\n".join(segment for block in blocks for segment in _segments(block))


def _segments(block: Block) -> Iterator[str]:
    mark = _MARKS.get(block.kind, "p")
    for paragraph in _EMPTY_LINE.split(block.text):
        if text := paragraph.strip():
            yield f"<{mark}>{text}"
