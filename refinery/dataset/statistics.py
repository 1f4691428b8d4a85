"""The figures of a data set, counted while its files are written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Self

import orjson

from corpus_commons.counts import number_of
from corpus_commons.durable_files import replace_file
from corpus_commons.kinds import UNSURE
from corpus_commons.markup.beginnings import beginning
from refinery.steps.ranking import digest

# Stands for None, as in the statistics of a corpus.
_UNKNOWN: Final = "unknown"
NOT_RECORDED: Final = "not recorded"
NOTHING_RESERVED: Final = "nothing reserved"

# Of the kept documents that the report shows, and the characters of each.
_EXAMPLES: Final = 12
_EXCERPT: Final = 400


def most_frequent(counts: Counter[str], most: int) -> list[tuple[str, int]]:
    """So many values with their counts, the most frequent first, and all others as one.

    >>> most_frequent(Counter("aaabbcd"), 2)
    [('a', 3), ('b', 2), ('2 others', 2)]
    """
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    rest = sum(count for _, count in ordered[most:])
    return [*ordered[:most], *([(number_of(len(ordered) - most, "other"), rest)] if rest else [])]


@dataclass(slots=True)
class Statistics:
    """Numbers of documents, words, characters and tokens, and documents by what they are.

    consent: documents by the uses that owners reserve; one may have several.
    lengths: documents by the power of two that their words reach.
    tokens: 0 if they were not counted.
    digest: of all rows with all their columns, in any order; in hexadecimal.
    examples: rows of documents chosen by their id, by hash.
    """

    documents: int = 0
    words: int = 0
    characters: int = 0
    tokens: int = 0
    digest: str = "0"
    masked: int = 0
    lines_removed: int = 0
    first: str = ""
    last: str = ""
    genres: Counter[str] = field(default_factory=Counter)
    page_types: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    consent: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    lengths: Counter[str] = field(default_factory=Counter)
    examples: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def extent(self) -> str:
        """How many documents of how many hosts, in words."""
        return f"{number_of(self.documents, 'document')} of {number_of(len(self.hosts), 'host')}"

    @property
    def known_languages(self) -> list[str]:
        return sorted(set(self.languages) - {_UNKNOWN})

    def add(self, row: dict[str, Any]) -> None:
        """Count the row of a document."""
        self.documents += 1
        self.characters += len(row["text"])
        for name in ("words", "tokens", "masked", "lines_removed"):
            setattr(self, name, getattr(self, name) + (row[name] or 0))
        day = row["fetched_at"].date().isoformat()
        self._span(day, day)
        self._digest(f"{digest(orjson.dumps(row).decode()):x}")
        for counts, key, missing in (
            (self.genres, "genre", UNSURE),
            (self.page_types, "page_type", UNSURE),
            (self.languages, "language", _UNKNOWN),
            (self.licences, "licence", _UNKNOWN),
            (self.hosts, "host", _UNKNOWN),
        ):
            counts[row[key] or missing] += 1
        self.consent.update(_reserved(row["consent"]))
        self.lengths[str(row["words"].bit_length())] += 1
        shown = ("url", "title", "genre", "page_type", "language")
        example = {key: row[key] or "" for key in shown} | {
            "text": beginning(row["text"], _EXCERPT)
        }
        self._show({f"{digest(row['id']):016x}": example})

    def merge(self, other: Self) -> None:
        """Add the figures of other documents."""
        self._span(other.first, other.last)
        self._digest(other.digest)
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if isinstance(mine, int):
                setattr(self, item.name, mine + theirs)
            elif isinstance(mine, Counter):
                mine.update(theirs)
        self._show(other.examples)

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, orjson.dumps(self))

    @classmethod
    def read(cls, path: Path) -> Self:
        found = orjson.loads(path.read_bytes())
        made = cls()
        for item in fields(cls):
            value = found[item.name]
            is_counts = isinstance(getattr(made, item.name), Counter)
            setattr(made, item.name, Counter(value) if is_counts else value)
        return made

    def _span(self, first: str, last: str) -> None:
        self.first = min(filter(None, (self.first, first)), default="")
        self.last = max(self.last, last)

    def _digest(self, more: str) -> None:
        """Add what was digested of other rows."""
        both = int(self.digest, 16) + int(more, 16)
        self.digest = f"{both % 2**64:016x}"

    def _show(self, more: dict[str, dict[str, str]]) -> None:
        both = self.examples | more
        self.examples = {key: both[key] for key in sorted(both)[:_EXAMPLES]}


def _reserved(signals: str | None) -> list[str]:
    """What to count of the column ``consent``."""
    if signals is None:
        return [NOT_RECORDED]
    return signals.split() or [NOTHING_RESERVED]
