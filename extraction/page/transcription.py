"""Plain characters for what a page expresses by layout: superscripts, ruby and quotation marks.

Written verbatim, ``10<sup>15</sup>`` would become 1015, and a ruby reading part of its word.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from corpus_commons.markup.formulas import parts_of
from extraction.page.asides import asides
from extraction.page.note_links import note_links

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray

_NUMBER = re.compile(r"[-+\u2212\u2013]?\d{1,4}(?:\.\d{1,3})?[-+\u2212]?")
_NOTE = re.compile(r"(?:[^\W\d_]+\s+)?\d{1,4}(?:\s*[,\u2013-]\s*\d{1,4})*\)?")
_NOTES = re.compile(r"\d{1,3}(?:\s*[,\u2013-]\s*\d{1,3})+")
# Cents are often raised.
_CENTS = re.compile(r"\d\d")
_AMOUNT = re.compile(r"[$€£]\s?\d{1,3}(?:[,.\s]?\d{3})*$")
# The base of a power: a number, a unit, a variable or a bracket. After a word it is a footnote.
_BASE = re.compile(r"(?:\d|(?<![^\W\d_])[^\W\d_]{1,3}|[)\]])$")
# The base of a power that contains letters.
_PLAIN_BASE = re.compile(r"(?:\d|(?<![^\W\d_])[^\W\d_]|[)\]])$")
_TERM: Final = r"(?:\d{0,2}[^\W\d_][\u0391-\u03c9]?|\d{1,2})"
_POWER = re.compile(
    rf"(?P<sign>[-+\u2212\u2013]?)(?P<parts>{_TERM}(?:[-+\u2212\u2013*/\u00b7]{_TERM})?)"
)
# What stands before each part of these elements of MathML; brackets that it opens are closed.
_SIGNS_OF_PARTS: Final = {
    "mfrac": ("", "/"),
    "mroot": ("", "^(1/"),
    "msub": ("", "_"),
    "msubsup": ("", "_", "^"),
    "msup": ("", "^"),
    "munder": ("", "_"),
    "munderover": ("", "_", "^"),
    # All of it is one part.
    "msqrt": ("√",),
}
_ROOT: Final = "msqrt"
_ORDINALS: Final = frozenset("oaeR")
_ABBREVIATIONS: Final = frozenset(("Dr", "Mr", "Sr", "St"))
_SLASH, _FRACTION_SLASH = "/", "\u2044"
# Before a slash and digits, its raised number is a power rather than a numerator.
_TEN = re.compile(r"(?<!\d)10$")
_QUOTATION_MARKS: Final = frozenset("\"'“”„‟‘’‚‛«»‹›「」『』")
# An element with more nodes is neither a superscript nor a reading nor a quotation.
_MOST_NODES: Final = 32


class Transcription(NamedTuple):
    """Replacement texts of those text nodes that are not written verbatim.

    everywhere: for all formats: readings of ruby in brackets, signs of formulas, quotation marks,
        and an empty text for what is left out.
    superscripts: for formats that cannot show superscripts.
    left_out: the nodes that ``asides`` finds.
    """

    everywhere: dict[int, str]
    superscripts: dict[int, str]
    left_out: frozenset[int]


class _Enclosed(NamedTuple):
    """Text nodes to be enclosed in characters."""

    nodes: list[int]
    opening: str
    closing: str


def transcribe(dom: Dom, block_of: IntArray) -> Transcription:
    """The transcription of a page.

    block_of: for every node, the block of a text node that counts; -1 for all other nodes.
    """
    left_out = frozenset(node for node in asides(dom) if block_of[node] >= 0)
    if left_out:
        block_of = block_of.copy()
        block_of[list(left_out)] = -1
    lines = _Lines(dom, block_of)
    readings, quotations = list(_readings(lines)), list(_quotations(lines))
    raised, formulas = list(_superscripts(lines)), [*_formulas(lines), *_matrices(lines)]
    others = [*formulas, *_note_links(lines, raised)]
    everywhere = lines.written([*readings, *others, *quotations])
    return Transcription(
        everywhere | dict.fromkeys(left_out, ""),
        lines.written([*readings, *others, *raised, *quotations]) if raised else {},
        left_out,
    )


class _Lines:
    """The texts of small elements, and the texts beside them in their block."""

    def __init__(self, dom: Dom, block_of: IntArray) -> None:
        self.dom = dom
        self._block_of = block_of

    def texts_in(self, element: int, most: int = _MOST_NODES) -> list[int]:
        """The non-empty text nodes in the element; none if it has more than ``most`` nodes."""
        end = int(self.dom.ends[element])
        if end - element > most:
            return []
        counts = self.dom.has_text[element:end] & (self._block_of[element:end] >= 0)
        found: list[int] = (np.flatnonzero(counts) + element).tolist()
        return found

    def text_of(self, nodes: list[int]) -> str:
        return "".join(self.dom.texts[node] for node in nodes).strip()

    def beside(self, node: int, step: int) -> str:
        """The text before (-1) or after (1) this node in its block; empty if none is near."""
        other = self.neighbour(node, step)
        return "" if other is None else self.dom.texts[other]

    def neighbour(self, node: int, step: int) -> int | None:
        """The text node before (-1) or after (1) this one in its block; None if none is near."""
        for other in range(node + step, node + step * _MOST_NODES, step):
            if not 0 <= other < len(self._block_of):
                break
            if self._block_of[other] >= 0:
                return other if self._block_of[other] == self._block_of[node] else None
        return None

    def written(self, all_enclosed: Iterable[_Enclosed]) -> dict[int, str]:
        """The text nodes enclosed in their characters; earlier ones are innermost."""
        signs: dict[int, tuple[str, str]] = {}
        for nodes, opening, closing in all_enclosed:
            first, last = nodes[0], nodes[-1]
            before, after = signs.get(first, ("", ""))
            signs[first] = (opening + before, after)
            before, after = signs.get(last, ("", ""))
            signs[last] = (before, after + closing)
        texts = self.dom.texts
        return {
            node: texts[node].replace(
                texts[node].strip(), f"{before}{texts[node].strip()}{after}", 1
            )
            for node, (before, after) in signs.items()
        }


def _readings(lines: _Lines) -> Iterator[_Enclosed]:
    """``<ruby>東京<rt>とうきょう</rt></ruby>`` is 東京（とうきょう）."""
    for element in lines.dom.elements("rt").tolist():
        texts = lines.texts_in(element)
        if texts:
            last = lines.dom.texts[texts[-1]].strip()[-1:]
            is_wide = unicodedata.east_asian_width(last or " ") in "WF"
            yield _Enclosed(texts, *(("（", "）") if is_wide else ("(", ")")))


def _quotations(lines: _Lines) -> Iterator[_Enclosed]:
    """``<q>`` gets quotation marks, unless the page already has them."""
    # Innermost first.
    for element in reversed(lines.dom.elements("q").tolist()):
        texts = lines.texts_in(element)
        if texts and lines.text_of(texts)[:1] not in _QUOTATION_MARKS:
            yield _Enclosed(texts, "“", "”")


def _formulas(lines: _Lines) -> Iterator[_Enclosed]:
    """MathML without TeX: ``<msup><mi>x</mi><mn>2</mn></msup>`` is x^2."""
    dom = lines.dom
    # Innermost first.
    for element in reversed(np.flatnonzero(dom.has_tag(_SIGNS_OF_PARTS.keys())).tolist()):
        tag = dom.tags[element]
        parts = [element] if tag == _ROOT else parts_of(dom, element)
        for part, sign in zip(parts, _SIGNS_OF_PARTS[tag], strict=False):
            texts, closing = lines.texts_in(part), ")" * sign.count("(")
            if len(texts) > 1:
                yield _Enclosed(texts, f"{sign}(", f"){closing}")
            elif texts and sign:
                yield _Enclosed(texts, sign, closing)


def _matrices(lines: _Lines) -> Iterator[_Enclosed]:
    """MathML's tables, as programs write them: ``1 0; 0 1``."""
    dom = lines.dom
    for table in dom.elements("mtable").tolist():
        rows = [
            [texts for cell in parts_of(dom, row) if (texts := lines.texts_in(cell, len(dom)))]
            for row in parts_of(dom, table)
        ]
        rows = list(filter(None, rows))
        for row in rows[:-1]:
            yield _Enclosed(row[-1], "", ";")
        for texts in islice(chain.from_iterable(rows), 1, None):
            yield _Enclosed(texts, " ", "")


def _superscripts(lines: _Lines) -> Iterator[_Enclosed]:
    """Powers become ``10^15``, footnotes ``[3]``; ordinals and trade marks stay as they are."""
    dom = lines.dom
    for element in dom.elements("sup").tolist():
        texts = lines.texts_in(element)
        if not texts or _is_preformatted(dom, element):
            continue
        text = lines.text_of(texts)
        before = lines.beside(texts[0], -1)
        is_link = bool(dom.links[texts[0]] >= 0)
        is_note = _NOTE.fullmatch(text) if is_link else before.strip() and _NOTES.fullmatch(text)
        if is_note:
            # DokuWiki has "1)".
            yield _Enclosed(texts, *(("(", "") if text.endswith(")") else ("[", "]")))
        elif _CENTS.fullmatch(text) and _AMOUNT.search(before):
            yield _Enclosed(texts, ".", "")
        elif _NUMBER.fullmatch(text) and before and not before[-1].isspace():
            if _is_numerator(lines, before, texts[-1]):
                yield _Enclosed(texts, " ", "")
            elif _BASE.search(before):
                yield _Enclosed(texts, "^", "")
            else:
                yield _Enclosed(texts, "[", "]")
        elif not is_link and (power := _power(before, text)):
            yield _Enclosed(texts, *(("^(", ")") if len(power["parts"]) > 1 else ("^", "")))


def _note_links(lines: _Lines, raised: list[_Enclosed]) -> Iterator[_Enclosed]:
    """Links to notes after a text that are raised by style; those in brackets stay."""
    nodes = {node for enclosed in raised for node in enclosed.nodes}
    for link in sorted(note_links(lines.dom)):
        texts = lines.texts_in(link)
        if not texts or not nodes.isdisjoint(texts):
            continue
        before = lines.beside(texts[0], -1).rstrip()
        if before and not before.endswith(("[", "(")):
            yield _Enclosed(texts, "[", "]")


def _is_numerator(lines: _Lines, before: str, node: int) -> bool:
    """Whether a raised number after a text is part of a fraction, such as 3<sup>1</sup>/2."""
    after = lines.neighbour(node, 1)
    slash = lines.dom.texts[after] if after is not None else ""
    if after is None or not slash.startswith(_SLASH):
        return slash.startswith(_FRACTION_SLASH)
    if below := slash[1:].strip():
        return below[0].isdigit() and not _TEN.search(before)
    denominator = lines.neighbour(after, 1)
    return denominator is not None and lines.dom.tags[lines.dom.parents[denominator]] == "sub"


def _power(base: str, text: str) -> re.Match[str] | None:
    """Match an exponent with letters, such as ``n``, ``-x`` or ``n + 1``."""
    found = _POWER.fullmatch("".join(text.split()))
    if (
        found is None
        or found[0] in _ORDINALS
        or not any(map(str.isalpha, found[0]))
        or not _PLAIN_BASE.search(base)
        or f"{base[-2:].strip()}{text}" in _ABBREVIATIONS
    ):
        return None
    return found


def _is_preformatted(dom: Dom, element: int) -> bool:
    return bool(dom.preformatted[dom.containers[element]])
