"""How much of the structures of manuals is whole in what a method writes.

A table is whole if it has all rows and cells; a heading, if it is one; a listing, if all its lines
are there; a definition, if it can be told from its term.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import trafilatura
from markdown_it import MarkdownIt
from resiliparse.extract.html2text import extract_plain_text
from selectolax.lexbor import LexborHTMLParser

from benchmarks.structures.manuals import MANUALS, Manual, sample
from benchmarks.structures.reading import Structures, structures
from corpus_commons.terminal.arguments import check_names, names_of, positive
from corpus_commons.terminal.progress import watched
from extraction import extract

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Hashable

    from benchmarks.report import Cell, Report

SUMMARY = "measure how many tables, headings, listings and definitions of manuals are kept whole"

_COLUMNS: Final = {
    "manual": "",
    "method": "",
    "pages": "d",
    "tables": ".3f",
    "headings": ".3f",
    "listings": ".3f",
    "definitions": ".3f",
    "recall of words": ".3f",
    "precision of words": ".3f",
}
_MARKDOWN: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])


class _Method(NamedTuple):
    """write: from a page to HTML or Markdown; None if there is no content."""

    write: Callable[[str], str | None]
    is_markdown: bool = False

    def structures(self, html: str) -> Structures:
        text = self.write(html) or ""
        tree = LexborHTMLParser(_MARKDOWN.render(text) if self.is_markdown else text)
        if tree.body is None:
            raise ValueError("the parser made no body")
        return structures(tree.body, from_markdown=self.is_markdown)


_METHODS: Final = {
    "boosted-blocks, HTML": _Method(lambda html: extract(html, format="html").text),
    "boosted-blocks, Markdown": _Method(
        lambda html: extract(html, format="markdown").text, is_markdown=True
    ),
    "trafilatura, HTML": _Method(lambda html: trafilatura.extract(html, output_format="html")),
    "trafilatura, Markdown": _Method(
        lambda html: trafilatura.extract(html, output_format="markdown"), is_markdown=True
    ),
    "resiliparse, HTML": _Method(
        lambda html: extract_plain_text(html, main_content=True, preserve_formatting="minimal_html")
    ),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--manuals",
        type=names_of,
        default=",".join(MANUALS),
        help="separated by commas (default: %(default)s)",
    )
    parser.add_argument("--pages", type=positive, default=80, help="of each manual (default: 80)")
    parser.add_argument("--seed", type=int, default=0, help="of the choice of pages (default: 0)")
    parser.add_argument(
        "--cache",
        type=Path,
        default=Path.home() / ".cache" / "genre-crawler" / "manuals",
        help="the folder that packages are downloaded to, once (default: %(default)s)",
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    """Print the table. Raises UsageError if a manual cannot be had."""
    check_names("manual", arguments.manuals, MANUALS)
    logging.disable(logging.CRITICAL)
    rows = [row for name in arguments.manuals for row in _rows(name, MANUALS[name], arguments)]
    report.table("structures", _COLUMNS, rows)
    return 0


def _rows(name: str, manual: Manual, arguments: argparse.Namespace) -> list[list[Cell]]:
    """A row for each method."""
    pages = sample(manual, arguments.cache, arguments.pages, arguments.seed)
    shares = {method: _Shares() for method in _METHODS}
    for page in watched(pages, len(pages), f"pages of {name}"):
        gold = structures(page.main)
        for method, share in shares.items():
            share.add(_METHODS[method].structures(page.html), gold)
    return [[name, method, len(pages), *share.cells()] for method, share in shares.items()]


class _Shares:
    """The shares of the structures of some pages that are kept, and of kept words that are gold."""

    def __init__(self) -> None:
        self._common = [0] * len(Structures._fields)
        self._gold = [0] * len(Structures._fields)
        self._kept_words = 0

    def add(self, kept: Structures, gold: Structures) -> None:
        for number, (ours, theirs) in enumerate(zip(kept, gold, strict=True)):
            self._common[number] += _size(ours & theirs)
            self._gold[number] += _size(theirs)
        self._kept_words += _size(kept.words)

    def cells(self) -> list[Cell]:
        recalls: list[Cell] = [
            common / gold if gold else None
            for common, gold in zip(self._common, self._gold, strict=True)
        ]
        return [*recalls, self._common[-1] / self._kept_words if self._kept_words else None]


def _size(counts: Counter[Hashable]) -> int:
    return counts.total()
