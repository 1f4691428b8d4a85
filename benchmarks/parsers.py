"""Compares HTML parsers: their speed, and how much of the text is preserved.

Parsers take turns page by page, so that other load affects all of them. Times are CPU times. The
walk reads the tag, attributes, text and parent of every node.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import fmean, median
from typing import Any, NamedTuple

import html5lib  # type: ignore[import-untyped]
import lxml.html  # type: ignore[import-untyped]
from resiliparse.parse.html import HTMLTree, NodeType
from selectolax.lexbor import LexborHTMLParser

from benchmarks import sample
from benchmarks.report import Cell, Report, mean
from corpus_commons.markup import dom
from corpus_commons.markup.tags import UNSEEN
from corpus_commons.terminal.arguments import check_names, names_of
from extraction.labelled import LabelledPage

SUMMARY = "compare HTML parsers by speed and by the gold text that their trees preserve"

_WORD = re.compile(r"\w+")
# A page that keeps less than this share of its gold words is counted as lost.
_LOST = 0.8
# A page on which a parser falls this far behind the best is counted as worse.
_WORSE = 0.02

# The result of a walk: the text of every text node with the tag of its parent.
Walk = list[tuple[str, str]]


class Parser(NamedTuple):
    parse: Callable[[str], Any]
    walk: Callable[[Any], Walk]


def _walk_elements(elements: Iterable[Any]) -> Walk:
    """The walk of an ElementTree, in which text belongs to elements."""
    texts: Walk = []
    for element in elements:
        if isinstance(element.tag, str):
            element.items()
            texts.append((element.text or "", element.tag))
        parent = element.getparent() if hasattr(element, "getparent") else None
        texts.append((element.tail or "", parent.tag if parent is not None else ""))
    return texts


def _walk_lexbor(tree: LexborHTMLParser) -> Walk:
    texts: Walk = []
    for node in tree.root.traverse(include_text=True) if tree.root else ():
        parent = node.parent
        if node.tag == "-text":
            texts.append((node.text_content or "", (parent.tag if parent else None) or ""))
        else:
            dict(node.attributes)
    return texts


def _walk_flat(page: dom.Dom) -> Walk:
    return [
        (page.texts[node], page.tags[parent])
        for node, parent in enumerate(page.parents.tolist())
        if page.tags[node] == "#text"
    ]


def _walk_resiliparse(tree: HTMLTree) -> Walk:
    texts: Walk = []
    document: Any = tree.document
    for node in document:
        parent = node.parent
        if node.type == NodeType.TEXT:
            texts.append((node.text, parent.tag if parent else ""))
        elif node.type == NodeType.ELEMENT:
            {name: node.getattr(name) for name in node.attrs}
    return texts


def _encoded(html: str) -> bytes:
    return html.encode("utf-8", "replace")


_LXML = lxml.html.HTMLParser(encoding="utf-8")

PARSERS = {
    "lxml (libxml2)": Parser(
        lambda html: lxml.html.document_fromstring(_encoded(html), parser=_LXML),
        lambda root: _walk_elements(root.iter()),
    ),
    "resiliparse (lexbor)": Parser(HTMLTree.parse, _walk_resiliparse),
    "selectolax (lexbor)": Parser(lambda html: LexborHTMLParser(_encoded(html)), _walk_lexbor),
    "corpus_commons.markup.dom": Parser(dom.parse, _walk_flat),
    "html5lib": Parser(
        lambda html: html5lib.parse(
            html.encode("utf-8", "replace").decode(), namespaceHTMLElements=False
        ),
        lambda root: _walk_elements(root.iter()),
    ),
}


@dataclass
class Results:
    """Results of one parser: milliseconds and shares of gold words by page; failed pages."""

    parse_ms: list[float] = field(default_factory=list)
    walk_ms: list[float] = field(default_factory=list)
    recalls: dict[str, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)
    parser.add_argument(
        "--parsers",
        type=names_of,
        default=",".join(PARSERS),
        help="separated by commas (default: %(default)s)",
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    check_names("parser", arguments.parsers, PARSERS)
    pages = sample.sample(arguments)
    results = {name: Results() for name in arguments.parsers}
    for page in sample.shown(pages):
        gold = Counter(_WORD.findall(page.gold_text.lower()))
        for name, of_parser in results.items():
            _measure(PARSERS[name], page, gold, of_parser)
    best = {
        page.id: max(of_parser.recalls.get(page.id, 0.0) for of_parser in results.values())
        for page in pages
    }
    columns = {
        f"{arguments.data.name}, {len(pages)} pages": "",
        **dict.fromkeys(
            ("parse ms, median", "mean", "with walk ms, median", "with walk, mean"), ".2f"
        ),
        "text recall": ".4f",
        **dict.fromkeys((f"pages below {_LOST}", f"{_WORSE} below the best", "failures"), "d"),
    }
    rows = [_row(name, of_parser, best) for name, of_parser in results.items()]
    report.table("parsers", columns, rows)
    return 0


def _measure(parser: Parser, page: LabelledPage, gold: Counter[str], results: Results) -> None:
    begin = time.process_time()
    try:
        tree = parser.parse(page.html)
        parsed = time.process_time()
        texts = parser.walk(tree)
    except Exception:
        results.failures.append(page.id)
        results.recalls[page.id] = 0.0
        return
    walked = time.process_time()
    results.parse_ms.append((parsed - begin) * 1000)
    results.walk_ms.append((walked - begin) * 1000)
    if gold:
        shown = " ".join(text for text, tag in texts if tag not in UNSEEN)
        found = Counter(_WORD.findall(shown.lower()))
        results.recalls[page.id] = (found & gold).total() / gold.total()


def _row(name: str, results: Results, best: dict[str, float]) -> list[Cell]:
    recalls = results.recalls
    times = (results.parse_ms, results.walk_ms)
    return [
        name,
        *(average(ms) if ms else None for ms in times for average in (median, fmean)),
        mean([*recalls.values()]),
        sum(recall < _LOST for recall in recalls.values()),
        sum(recall < best[page] - _WORSE for page, recall in recalls.items()),
        len(results.failures),
    ]
