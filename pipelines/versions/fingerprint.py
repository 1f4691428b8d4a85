r"""The fingerprint of a text: what a later text of the same page is compared with.

Sentences count exactly: a corrected word or number is a change. All other lines (headlines of other
pages, labels, list items, rows of tables) count by their share of the text, because what surrounds
an article on a site changes with every visit. Ages, clocks and counters do not count at all.

    >>> old = Fingerprint.of("The bridge was built in the year 1931 by two brothers.\n\n3 comments")
    >>> new = Fingerprint.of("The bridge was built in the year 1932 by two brothers.\n\n3 comments")
    >>> str(old.difference(new)), len(old.text())
    ('changed: its title or sentences', 47)
    >>> Fingerprint.read(old.text()) == old
    True
"""

from __future__ import annotations

import math
import re
import struct
import unicodedata
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, NamedTuple, Self

from pipelines.versions.volatile import without_ages, without_counters

# The share of a text, in characters of its lines that are no sentences, that makes a change.
LEAST_SHARE: Final = 0.2

_PACKED: Final = struct.Struct(">8s8s16sHB")
_DIGEST: Final = 8
_BITS: Final = 128
_MOST_LINES: Final = 0xFFFF
_FEWEST_WORDS: Final = 8
# So many are a sentence without a full stop, too.
_MANY_WORDS: Final = 16
# In scripts without spaces, so many characters stand for the words.
_FEWEST_CHARACTERS: Final = 20
_SENTENCE: Final = re.compile(r"[.!?…。！？؟।][\"'”’»)\]]*(?:\s*\[\d+\])*$")
_WIDE: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


class Difference(NamedTuple):
    """What two texts of a page differ in.

    share: the estimated share of the text, without its sentences, that is different.
    """

    is_change: bool
    why: str
    share: float = 0.0

    def __str__(self) -> str:
        return f"{'changed' if self.is_change else 'unchanged'}: {self.why}"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """35 bytes of a text.

    words: a digest of all its words. sentences: of its title and sentences, in order.
    sketch: an odd sketch of its other lines: a bit for each, by its hash, added modulo 2. So the
        bits that differ between two sketches tell how many lines do (Mitzenmacher, Pagh and Pham:
        Efficient Estimation for High Similarities Using Odd Sketches, 2014).
    lines: how many these are. weight: their share of the characters, in 255ths.
    """

    words: bytes
    sentences: bytes
    sketch: int
    lines: int
    weight: int

    @classmethod
    def of(cls, text: str, title: str | None = None) -> Self:
        plain = [" ".join(unicodedata.normalize("NFKC", line).split()) for line in text.split("\n")]
        sentences = [line for line in plain if _is_sentence(line)]
        others = [line for line in plain if line and not _is_sentence(line)]
        distinct = {one for line in others if (one := without_counters(line).strip("~ ·|,-–—"))}
        length, prose = sum(map(len, others)), sum(map(len, sentences))
        sketch = 0
        for line in distinct:
            sketch ^= 1 << int.from_bytes(_digest([line])) % _BITS
        return cls(
            words=words_digest(text),
            sentences=_digest([title or "", *map(without_ages, sentences)]),
            sketch=sketch,
            lines=min(len(distinct), _MOST_LINES),
            weight=round(255 * length / max(1, length + prose)),
        )

    @classmethod
    def read(cls, text: str) -> Self:
        """Of what ``text`` wrote. Raises ValueError."""
        try:
            words, sentences, sketch, lines, weight = _PACKED.unpack(urlsafe_b64decode(text + "="))
        except (struct.error, ValueError) as error:
            raise ValueError(f"{text!r} is not a fingerprint") from error
        return cls(words, sentences, int.from_bytes(sketch), lines, weight)

    def text(self) -> str:
        """In 47 characters of ASCII."""
        sketch = self.sketch.to_bytes(_BITS // 8)
        packed = _PACKED.pack(self.words, self.sentences, sketch, self.lines, self.weight)
        return urlsafe_b64encode(packed).decode().rstrip("=")

    def difference(self, new: Self) -> Difference:
        """What is different in a later text."""
        if self.sentences != new.sentences:
            return Difference(is_change=True, why="its title or sentences")
        if self.words == new.words:
            return Difference(is_change=False, why="the same words")
        share = self._share(new) * max(self.weight, new.weight) / 255
        why = f"{share:.0%} of the text, and no sentence"
        return Difference(is_change=share >= LEAST_SHARE, why=why, share=share)

    def _share(self, new: Self) -> float:
        """Of the lines that are no sentences, an estimate of how many are in one text only."""
        bits = (self.sketch ^ new.sketch).bit_count()
        both = self.lines + new.lines
        # From half the bits on, the sketch is full.
        left = 1 - 2 * bits / _BITS
        count = -_BITS / 2 * math.log(left) if left > 0 else math.inf
        return min(1.0, max(count, abs(self.lines - new.lines)) / both) if both else 0.0


def words_digest(text: str) -> bytes:
    """64 bits of a text's words, whatever white space is between them."""
    return _digest([" ".join(text.split())])


def _is_sentence(line: str) -> bool:
    words = line.count(" ") + 1
    if _SENTENCE.search(line):
        return words >= _FEWEST_WORDS or len(_WIDE.findall(line)) >= _FEWEST_CHARACTERS
    return words >= _MANY_WORDS


def _digest(parts: Iterable[str]) -> bytes:
    joined = "\n".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(joined, digest_size=_DIGEST).digest()
