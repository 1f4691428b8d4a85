"""CleanEval's text format: every segment begins with ``<h>``, ``<p>`` or ``<l>``.

Source: the annotation guidelines of the CleanEval contest (2007): ``<h>`` for headings, ``<p>``
for paragraphs, ``<l>`` for items of lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from extraction.page.blocks import Block, BlockKind
from extraction.result import Extraction

_MARKS: dict[BlockKind, str] = {"heading": "h", "list-item": "l"}
_EMPTY_LINE = re.compile(r"\n[^\S\n]*\n\s*")


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
