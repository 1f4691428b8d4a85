"""``bad-words``: documents with words from a list of yours."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Final, Literal

import regex
from datatrove.data import Document
from pydantic import Field

from corpus_commons.markup.characters import IDEOGRAPHS, SYLLABIC, in_brackets
from refinery.steps.base import GivenFile, Judge, Step, Task
from settings.values import Finding, Many

_UNSPACED: Final = regex.compile(f"[{in_brackets((*IDEOGRAPHS, *SYLLABIC))}]")


class BadWords(Step):
    """Drops documents with words or phrases of a list. Case does not matter, word borders do, but
    not in scripts without spaces, such as Chinese, Japanese and Thai.
    """

    use: Literal["bad-words"] = "bad-words"
    """The step's name."""
    words: Many[str] = ()
    """The words and phrases."""
    file: GivenFile | None = None
    """A file with more of them, one a line."""
    most: Annotated[int, Field(ge=0)] = 0
    """How many of them, repeats included, a document may have."""

    def contradictions(self) -> Iterator[Finding]:
        if not self.words and self.file is None:
            yield ("words",), "is missing; give words, or a file of them"
            return
        key = "words" if self.file is None else "file"
        try:
            if not self._all():
                yield (key,), "has no words; without any, leave the step out"
        except UnicodeDecodeError as error:
            yield (key,), f"is {self.file}, which must be text in UTF-8, but is not: {error}"

    def judge(self, task: Task) -> Judge:
        pattern = regex.compile("|".join(map(_pattern, self._all())), regex.IGNORECASE)

        def judge(_: int, document: Document) -> str | None:
            beyond = islice(pattern.finditer(document.text), self.most, None)
            return None if next(beyond, None) is None else "bad-words"

        return judge

    def _all(self) -> list[str]:
        listed = self.file.read_text(encoding="utf-8-sig").splitlines() if self.file else []
        return sorted({word.strip() for word in (*self.words, *listed) if word.strip()})


def _pattern(word: str) -> str:
    # To regex, not to re, the marks of letters belong to words; in Hindi they are vowels.
    escaped = r"\s+".join(map(regex.escape, word.split()))
    return escaped if _UNSPACED.search(word) else rf"(?<!\w){escaped}(?!\w)"
