"""What a step changed in the texts of documents that it kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from corpus_commons.markup.words import count_words

# The lines that are kept at least, and at most; and those that are shown.
_LEAST, _MOST = 1_000, 10_000
_SHOWN: Final = 12
# Characters of a line; longer ones are paragraphs of one page.
_LONGEST: Final = 300


@dataclass(slots=True)
class Changes:
    """documents: whose texts were changed. words: that these lost. lines: that they lost, or had
    otherwise, with the numbers of documents; of very many, the rare ones are missing.
    """

    documents: int = 0
    words: int = 0
    lines: Counter[str] = field(default_factory=Counter)

    def add(self, before: str, after: str) -> None:
        """Count a document, if its text is not what it was."""
        if after == before:
            return
        self.documents += 1
        self.words += count_words(before) - count_words(after)
        lost = set(before.split("\n")) - set(after.split("\n"))
        self._count(Counter(line for line in lost if line.strip() and len(line) <= _LONGEST))

    def merge(self, other: dict[str, Any]) -> None:
        """Add those of other documents."""
        self.documents += other["documents"]
        self.words += other["words"]
        self._count(other["lines"])

    def masked(self, mask: Callable[[str], str]) -> Changes:
        """The same, with lines that can be written down: the most frequent ones, masked."""
        lines: Counter[str] = Counter()
        for line, count in _most_frequent(self.lines, _LEAST).items():
            lines[mask(line)] += count
        return Changes(self.documents, self.words, lines)

    def without_lines(self) -> Changes:
        """The same, but for the words of pages."""
        return Changes(self.documents, self.words)

    def shown(self) -> Changes:
        """The same, with the most frequent lines only, of several documents each."""
        frequent = _most_frequent(self.lines, _SHOWN)
        lines = {line: count for line, count in frequent.items() if count > 1}
        return Changes(self.documents, self.words, Counter(lines))

    def _count(self, lines: Mapping[str, int]) -> None:
        self.lines.update(lines)
        if len(self.lines) > _MOST:
            self.lines = _most_frequent(self.lines, _LEAST)


def _most_frequent(lines: Counter[str], most: int) -> Counter[str]:
    return Counter(dict(sorted(lines.items(), key=lambda one: (-one[1], one[0]))[:most]))
