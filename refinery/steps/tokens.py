"""``count-tokens``: the tokens of documents, by a tokenizer of yours."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from datatrove.data import Document
from tokenizers import Tokenizer

from refinery.steps.base import GivenFile, Judge, Step, Task
from settings.values import Finding

TOKENS: Final = "token_count"
"""The key of the metadata, by datatrove's name."""


class CountTokens(Step):
    """Counts the tokens of each document, without special ones. Drops nothing. No step after it
    may change texts. Without this step, words are counted only.
    """

    use: Literal["count-tokens"] = "count-tokens"
    """The step's name."""
    tokenizer: GivenFile
    """A `tokenizer.json`, as Hugging Face's `tokenizers` has it. If it cuts or fills up texts, that
    is left out."""

    def contradictions(self) -> Iterator[Finding]:
        try:
            _tokenizer(self.tokenizer)
        except Exception as error:
            yield ("tokenizer",), f"is {self.tokenizer}, which is no tokenizer: {error}"

    def judge(self, task: Task) -> Judge:
        tokenizer = _tokenizer(self.tokenizer)

        def judge(_: int, document: Document) -> None:
            encoded = tokenizer.encode(document.text, add_special_tokens=False)
            document.metadata[TOKENS] = len(encoded.ids)

        return judge


def _tokenizer(file: Path) -> Tokenizer:
    """Of whole texts, as they are. Raises Exception for a file that is no tokenizer."""
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
