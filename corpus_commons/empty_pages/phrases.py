"""The phrases by which pages without content are known, from ``phrases.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Final

from corpus_commons.markup.characters import IDEOGRAPHS, in_brackets

_GAP: Final = "…"
# What an ellipsis in a phrase stands for: up to eight words, or as much text without spaces.
_BETWEEN: Final = r"(?:\S{1,40} ){0,8}?"
_UNSPACED = re.compile(rf"[{in_brackets(IDEOGRAPHS)}]+")
_WORD = re.compile(rf"{_UNSPACED.pattern}|[^\W_{in_brackets(IDEOGRAPHS)}]+")
_PARTS = re.compile(r"\s[-–—]\s|[|•·:»«(),.!?;…]|\s/\s")


def normalised(text: str) -> str:
    """The words in lower case, with a space around each; scripts without spaces have long ones.

    >>> normalised("Can't find it!"), normalised("使用cookie。")
    (' can t find it ', ' 使用 cookie ')
    """
    return f" {' '.join(_WORD.findall(text.lower()))} "


class Phrases:
    """The phrases of a table, in all languages, each of them once."""

    def __init__(self, phrases: Collection[str]) -> None:
        self._whole = frozenset(map(normalised, phrases))
        plain = [phrase for phrase in phrases if _GAP not in phrase]
        # Scripts without spaces have no ends of words that could be seen.
        self._plain = [
            normalised(phrase).strip() if _UNSPACED.search(phrase) else normalised(phrase)
            for phrase in plain
        ]
        parted = [phrase.split(_GAP) for phrase in phrases if _GAP in phrase]
        self._parted = [
            ([normalised(part).strip() for part in parts], _with_gaps(parts)) for parts in parted
        ]

    def are_in(self, text: str) -> bool:
        """Whether any of them is in a ``normalised`` text."""
        return any(phrase in text for phrase in self._plain) or any(
            all(part in text for part in parts) and pattern.search(text) is not None
            for parts, pattern in self._parted
        )

    def times_in(self, text: str) -> int:
        """How often they are in a ``normalised`` text, without those that have an ellipsis."""
        return sum(map(text.count, self._plain))

    def begin(self, text: str) -> bool:
        """Whether a ``normalised`` text begins with any of them."""
        return text.startswith(tuple(self._plain))

    def are(self, text: str) -> bool:
        """Whether any of them is the whole text, or a part of it between bars, dashes or colons."""
        return any(normalised(part) in self._whole for part in (text, *_PARTS.split(text)))


def _with_gaps(parts: list[str]) -> re.Pattern[str]:
    escaped = (re.escape(normalised(part).strip()) for part in parts)
    return re.compile(rf"(?<!\S){f' {_BETWEEN}'.join(escaped)}(?!\S)")


@cache
def _tables() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("phrases.toml").read_text(encoding="utf-8"))


@cache
def phrases(table: str) -> Phrases:
    """The phrases of that table of the file."""
    # Languages share words, such as "cookies", which would count once for each of them.
    return Phrases({phrase: None for of_one in _tables()[table].values() for phrase in of_one})
