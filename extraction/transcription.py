"""What plain characters say for that which a page says by the way it is set.

Read as it stands, ``10<sup>15</sup>`` is 1015, and the reading of a Chinese word a part of it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from markup.tags import PREFORMATTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markup.dom import Dom, IntArray

_PERMALINK_SIGNS: Final = frozenset("¶#§🔗⚓\uf0c1")
_NUMBER = re.compile(r"[-+\u2212\u2013]?\d{1,4}[-+\u2212]?")
_NOTE = re.compile(r"(?:[^\W\d_]+\s+)?\d{1,4}(?:\s*[,\u2013-]\s*\d{1,4})*")
# What is raised to a power: a number, a unit or a variable, a bracket. Words have footnotes.
_BASE = re.compile(r"(?:\d|(?<![^\W\d_])[^\W\d_]{1,3}|[)\]])$")
_FRACTION: Final = ("/", "\u2044")
# An element of more is no sign, number or reading, whatever it is called.
_MOST_NODES: Final = 32


class Transcription(NamedTuple):
    """Text nodes that are not written as they stand, and what is written for each.

    everywhere: in all formats: brackets round the readings of ruby, nothing for permalinks.
    superscripts: in formats that have no superscripts.
    """

    everywhere: dict[int, str]
    superscripts: dict[int, str]


def transcribe(dom: Dom, block_of: IntArray) -> Transcription:
    """The transcription of a page.

    block_of: for every node, the block of a text node that counts; -1 for all other nodes.
    """
    lines = _Lines(dom, block_of)
    return Transcription(
        dict.fromkeys(_permalinks(dom, block_of), "") | dict(_readings(lines)),
        dict(_superscripts(lines)),
    )


class _Lines:
    """The texts of small elements, and what stands beside them in their block."""

    def __init__(self, dom: Dom, block_of: IntArray) -> None:
        self.dom = dom
        self._block_of = block_of

    def texts_in(self, element: int) -> list[int]:
        """The text nodes with text inside the element; none in one of many nodes."""
        end = int(self.dom.ends[element])
        if end - element > _MOST_NODES:
            return []
        counts = self.dom.has_text[element:end] & (self._block_of[element:end] >= 0)
        found: list[int] = (np.flatnonzero(counts) + element).tolist()
        return found

    def beside(self, node: int, step: int) -> str:
        """The text node before (-1) or after (1) this one in its block; empty if none is near."""
        for other in range(node + step, node + step * _MOST_NODES, step):
            if not 0 <= other < len(self._block_of):
                break
            if self._block_of[other] >= 0:
                is_near = self._block_of[other] == self._block_of[node]
                return self.dom.texts[other] if is_near else ""
        return ""

    def enclosed(self, texts: list[int], opening: str, closing: str) -> Iterator[tuple[int, str]]:
        """The text nodes, with signs before the first and after the last character of them all."""
        for node in texts:
            text = self.dom.texts[node]
            shown = text.strip()
            before = opening if node == texts[0] else ""
            after = closing if node == texts[-1] else ""
            yield node, text.replace(shown, f"{before}{shown}{after}", 1)


def _permalinks(dom: Dom, block_of: IntArray) -> Iterator[int]:
    """The texts of links to where they stand themselves, as headings have them."""
    for node in np.flatnonzero((dom.lengths == 1) & (dom.links >= 0) & (block_of >= 0)).tolist():
        link = int(dom.links[node])
        if (
            not _PERMALINK_SIGNS.isdisjoint(dom.texts[node])
            and "#" in (dom.attributes[link].get("href") or "")
            and dom.ends[link] - link <= _MOST_NODES
            and dom.lengths[link : dom.ends[link]].sum() == 1
        ):
            yield node


def _readings(lines: _Lines) -> Iterator[tuple[int, str]]:
    """``<ruby>東京<rt>とうきょう</rt></ruby>`` is 東京（とうきょう）."""
    for element in lines.dom.elements("rt").tolist():
        texts = lines.texts_in(element)
        if texts:
            last = lines.dom.texts[texts[-1]].strip()[-1:]
            is_wide = unicodedata.east_asian_width(last or " ") in "WF"
            yield from lines.enclosed(texts, *(("（", "）") if is_wide else ("(", ")")))


def _superscripts(lines: _Lines) -> Iterator[tuple[int, str]]:
    """A power is written ``10^15``, a note ``[3]``; ordinals and trade marks stay."""
    dom = lines.dom
    for element in dom.elements("sup").tolist():
        texts = lines.texts_in(element)
        if not texts or _is_preformatted(dom, element):
            continue
        text = "".join(dom.texts[node] for node in texts).strip()
        before = lines.beside(texts[0], -1)
        if dom.links[texts[0]] >= 0 and _NOTE.fullmatch(text):
            yield from lines.enclosed(texts, " [", "]")
        elif _NUMBER.fullmatch(text) and before and not before[-1].isspace():
            if lines.beside(texts[-1], 1).startswith(_FRACTION):
                yield from lines.enclosed(texts, " ", "")
            elif _BASE.search(before):
                yield from lines.enclosed(texts, "^", "")
            else:
                yield from lines.enclosed(texts, " [", "]")


def _is_preformatted(dom: Dom, element: int) -> bool:
    return dom.tags[dom.containers[element]] in PREFORMATTED
