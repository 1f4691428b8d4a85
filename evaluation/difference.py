"""The difference between an extracted text and the gold text: stretches kept, noise and missed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from rapidfuzz.distance import Indel

from corpus_commons.counts import number_of

Role = Literal["kept", "noise", "missed", "left-out"]

# A word, or one character of the scripts without spaces.
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_IDEOGRAPH}]|[^\W{_IDEOGRAPH}]+")

# The alignment takes words × words bits of memory: 50 MB for 20,000 × 20,000.
_MOST_ALIGNED = 20_000
# Of a longer stretch only the ends are shown.
_LONG_STRETCH = 160
_SHOWN_HEAD, _SHOWN_TAIL = 70, 50
_MOST_SHOWN = 4_000


class Stretch(NamedTuple):
    """Consecutive words with the same role: in both texts (kept), only in the extracted text
    (noise), or only in the gold (missed). ``left-out`` tells how much is not shown.
    """

    role: Role
    text: str


def stretches(text: str, gold: str) -> list[Stretch]:
    """The two texts merged, aligned on the longest common subsequence of their words.

    Words are compared without case, and shown as written, with what follows them. Of long
    stretches only the ends are shown.

    >>> [(part.role, part.text) for part in stretches("Home. Red fox", "red fox ran")]
    [('noise', 'Home. '), ('kept', 'Red fox'), ('missed', 'ran')]
    """
    extracted, wanted = _Words(text), _Words(gold)
    parts = list(_shortened(_aligned(extracted, wanted)))
    rest = [
        f"{number_of(words.cut, 'more word')} of {name} not compared"
        for name, words in (("the extracted text", extracted), ("the gold", wanted))
        if words.cut
    ]
    return [*parts, *(Stretch("left-out", note) for note in rest)]


class _Words:
    """The words of a text, and where each of them begins."""

    def __init__(self, text: str) -> None:
        found = list(_WORD.finditer(text))
        self.cut = max(0, len(found) - _MOST_ALIGNED)
        end = found[_MOST_ALIGNED].start() if self.cut else len(text)
        found = found[:_MOST_ALIGNED]
        self.words = [match.group().casefold() for match in found]
        self._text = text
        # The first stretch includes what precedes the first word, the last one what follows.
        self._begins = [0, *(match.start() for match in found[1:]), end]

    def between(self, begin: int, end: int) -> str:
        return self._text[self._begins[begin] : self._begins[end]]


class _Run(NamedTuple):
    role: Role
    words: _Words
    begin: int
    end: int


def _aligned(extracted: _Words, wanted: _Words) -> Iterator[_Run]:
    for step in Indel.opcodes(extracted.words, wanted.words):
        if step.tag == "equal":
            yield _Run("kept", extracted, step.src_start, step.src_end)
            continue
        if step.src_end > step.src_start:
            yield _Run("noise", extracted, step.src_start, step.src_end)
        if step.dest_end > step.dest_start:
            yield _Run("missed", wanted, step.dest_start, step.dest_end)


def _shortened(runs: Iterable[_Run]) -> Iterator[Stretch]:
    shown = unshown = 0
    for role, words, begin, end in runs:
        length = end - begin
        if shown > _MOST_SHOWN:
            unshown += length
        elif length <= _LONG_STRETCH:
            shown += length
            yield Stretch(role, words.between(begin, end))
        else:
            shown += _SHOWN_HEAD + _SHOWN_TAIL
            left_out = length - _SHOWN_HEAD - _SHOWN_TAIL
            yield Stretch(role, words.between(begin, begin + _SHOWN_HEAD))
            yield Stretch("left-out", f"{number_of(left_out, 'word')} {role}")
            yield Stretch(role, words.between(end - _SHOWN_TAIL, end))
    if unshown:
        yield Stretch("left-out", f"{number_of(unshown, 'more word')}")
