"""Inputs made by chance from samples: the same seed makes the same input."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

LONGEST: Final = 65_536
"""Of an input, in bytes."""
# Values at which counters, lengths and code points tend to be mistaken.
_NUMBERS: Final = (
    *(b"0", b"-1", b"1", b"127", b"128", b"255", b"256", b"32767", b"65535", b"65536"),
    *(b"2147483647", b"4294967296", b"9223372036854775807", b"18446744073709551616"),
    *(b"1e309", b"-0", b"0x10", b"1" * 400, b"nan", b"99999999999999999999999999"),
)
_BYTES: Final = (
    *(b"\0", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\x80"),
    *(
        b"\r",
        b"\n",
        b"\r\n",
        b"\t",
        b"\x0b",
        b"\x1b",
        b"\x7f",
        "\u2028".encode(),
        b"\xf4\x90\x80\x80",
    ),
    *("\u202e\u0130\u017f\u0661".encode(), "e\u0301\U0001f600".encode(), b"%00", b"%", b"&#0;"),
)
# Most inputs stay near to a sound one, so that not all are refused at the door.
_CHANGES_AT_ONCE: Final = (1, 1, 1, 2, 3, 8)
_MOST_REPEATS: Final = 4_000


class Mutator:
    """samples: sound inputs. tokens: what the format is made of."""

    def __init__(self, samples: Sequence[bytes], tokens: Sequence[bytes]) -> None:
        self._samples = samples
        # Two in three are of the format.
        noise = (*_BYTES, *_NUMBERS)
        self._tokens = (*tokens, *noise)
        weight = 2 * len(noise) / max(1, len(tokens))
        self._weights = list(accumulate([weight] * len(tokens) + [1.0] * len(noise)))

    def input(self, seed: str) -> bytes:
        """A sample with a few changes, or one time in five an invented text of tokens."""
        chance = random.Random(seed)
        if chance.random() < 0.2:
            data = b"".join(self._some(chance, chance.randint(0, 60)))
        else:
            data = chance.choice(self._samples)
        for _ in range(chance.choice(_CHANGES_AT_ONCE)):
            data = chance.choice(_CHANGES)(self, chance, data)
        return data[:LONGEST]

    def _some(self, chance: random.Random, count: int) -> list[bytes]:
        """Tokens by chance."""
        return chance.choices(self._tokens, cum_weights=self._weights, k=count)

    def _byte(self, chance: random.Random, data: bytes) -> bytes:
        at = _place(chance, data)
        return data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]

    def _bit(self, chance: random.Random, data: bytes) -> bytes:
        at = _place(chance, data)
        flipped = bytes([one ^ 1 << chance.randrange(8) for one in data[at : at + 1]])
        return data[:at] + flipped + data[at + 1 :]

    def _cut(self, chance: random.Random, data: bytes) -> bytes:
        begin, end = _stretch(chance, data)
        return data[:begin] + data[end:]

    def _truncated(self, chance: random.Random, data: bytes) -> bytes:
        return data[: _place(chance, data)]

    def _repeated(self, chance: random.Random, data: bytes) -> bytes:
        begin, end = _stretch(chance, data)
        times = min(chance.choice((2, 3, 10, 100, _MOST_REPEATS)), LONGEST // (end - begin + 1))
        return data[:begin] + data[begin:end] * times + data[end:]

    def _token(self, chance: random.Random, data: bytes) -> bytes:
        at = _place(chance, data)
        times = chance.choice((1, 1, 1, 2, 50, _MOST_REPEATS))
        return data[:at] + self._some(chance, 1)[0] * times + data[at:]

    def _replaced(self, chance: random.Random, data: bytes) -> bytes:
        """One token in the place of another."""
        old, new = self._some(chance, 2)
        return data.replace(old, new, chance.choice((1, -1)))

    def _spliced(self, chance: random.Random, data: bytes) -> bytes:
        other = chance.choice(self._samples)
        return data[: _place(chance, data)] + other[_place(chance, other) :]

    def _swapped(self, chance: random.Random, data: bytes) -> bytes:
        begin, end = _stretch(chance, data)
        at = _place(chance, data)
        return data[:begin] + data[end:][:at] + data[begin:end] + data[end:][at:]


_CHANGES: Final[tuple[Callable[[Mutator, random.Random, bytes], bytes], ...]] = (
    Mutator._byte,
    Mutator._bit,
    Mutator._cut,
    Mutator._truncated,
    Mutator._repeated,
    Mutator._token,
    Mutator._token,
    Mutator._replaced,
    Mutator._spliced,
    Mutator._swapped,
)


def _place(chance: random.Random, data: bytes) -> int:
    return chance.randint(0, len(data))


def _stretch(chance: random.Random, data: bytes) -> tuple[int, int]:
    """Begin and end of a stretch, short ones being as likely as long ones."""
    begin = _place(chance, data)
    return begin, min(len(data), begin + int(2 ** chance.uniform(0, 14)))
