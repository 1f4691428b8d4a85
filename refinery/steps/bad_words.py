"""``bad-words``: documents with words from a list of yours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal

from datatrove.data import Document
from pydantic import Field

from refinery.steps.base import Judge, Step, Task
from settings.values import ExistingFile, Finding, Many


class BadWords(Step):
    """Drops documents with words or phrases of a list. Case does not matter, word borders do, but
    not for Chinese and Japanese, which have none.
    """

    use: Literal["bad-words"] = "bad-words"
    """The step's name."""
    words: Many[str] = ()
    """The words and phrases."""
    file: ExistingFile | None = None
    """A file with more of them, one a line."""
    most: Annotated[int, Field(ge=0)] = 0
    """How many of them, repeats included, a document may have."""

    def contradictions(self) -> Iterator[Finding]:
        if not self.words and self.file is None:
            yield ("words",), "is missing; give words, or a file of them"

    def judge(self, task: Task) -> Judge:
        pattern = re.compile("|".join(map(_pattern, self._all())), re.IGNORECASE)

        def judge(_: int, document: Document) -> str | None:
            found = islice(pattern.finditer(document.text), self.most + 1)
            return "bad-words" if len(list(found)) > self.most else None

        return judge

    def _all(self) -> list[str]:
        listed = self.file.read_text(encoding="utf-8").splitlines() if self.file else []
        return sorted({word.strip() for word in (*self.words, *listed) if word.strip()})


def _pattern(word: str) -> str:
    escaped = re.escape(word)
    if not word.isascii() and re.search(r"[\u3040-\u30ff\u3400-\u9fff]", word):
        return escaped
    return rf"(?<!\w){escaped}(?!\w)"
