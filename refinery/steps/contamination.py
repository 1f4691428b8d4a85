"""``decontaminate``: documents that have text of an evaluation in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
import orjson
from datatrove.data import Document
from datatrove.pipeline.decont import NGramsDecontConfig, NGramsDecontFilter
from datatrove.utils.hashing import create_hash_func
from datatrove.utils.text import ngrams, simplify_text
from pydantic import Field, PrivateAttr

from corpus_commons.counts import number_of
from corpus_commons.line_files import read_records
from refinery.steps.base import GivenFile, Judge, OverallStep, Task, Work
from refinery.steps.plain_folder import PlainFolder
from refinery.steps.words import IS_SYLLABIC, SYLLABIC_WORD, Words
from settings.values import Finding, Many

_INDEX: Final = "index"
_HASHES: Final = ".index.hashes"
# Characters; a file's name may have 255 bytes.
_LONGEST_STEM: Final = 50
_NORMAL_FORM: Final = NGramsDecontConfig().norm_config


class Decontaminate(OverallStep):
    """Drops documents that share an n-gram of words with the texts of evaluations, by datatrove's
    filter; case, marks and accents do not count, and any number is as any other. The data card says
    how many of these texts are too short to be found.
    """

    use: Literal["decontaminate"] = "decontaminate"
    """The step's name."""
    files: Annotated[Many[GivenFile], Field(min_length=1)]
    """Texts of evaluations: a text a line, or JSON Lines, of which all strings are taken."""
    words: Annotated[int, Field(ge=1, le=100)] = 12
    """The words of an n-gram. Shorter texts cannot be found; a file must have one as long."""
    # By file, as the recipe was loaded: files may change until a data set is complete.
    _lengths: dict[Path, tuple[int, int]] = PrivateAttr(default_factory=dict)

    def contradictions(self) -> Iterator[Finding]:
        for number, file in enumerate(self.files):
            try:
                self._lengths[file] = short, every = _lengths(file, self.words)
            except ValueError as error:
                yield ("files", number), f"must be text in UTF-8 or JSON Lines, but is not: {error}"
                continue
            if short == every:
                found = f"is {file}, which has no text of {self.words} words that could be found"
                yield ("files", number), f"{found}; give fewer words"

    def remark(self) -> str:
        lengths = np.array([self._lengths[file] for file in self.files])
        short, every = lengths.sum(axis=0).tolist()
        texts = number_of(every, "text")
        return f"{short:,} of {texts} could not be found, with under {self.words} words"

    def prepare(self, work: Work) -> None:
        config = NGramsDecontConfig(n_grams=self.words)
        hashed = create_hash_func(config.hash_config)
        folder = work.state / _INDEX
        folder.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(self.files):
            found = {
                hashed(" ".join(gram))
                for text in _texts(file)
                for words in _phases(text)
                for gram in ngrams(words, self.words)
            }
            name = f"{number:03d}-{file.stem[:_LONGEST_STEM]}{_HASHES}"
            np.array(sorted(found), dtype=config.hash_config.np_descr).tofile(folder / name)

    def judge(self, task: Task) -> Judge:
        rule = NGramsDecontFilter(
            PlainFolder(str(task.state / _INDEX)),
            NGramsDecontConfig(n_grams=self.words),
            language=Words(),
        )

        def judge(_: int, document: Document) -> str | None:
            found = rule.filter(document)
            return None if found is True else "contaminated"

        return judge


def _lengths(file: Path, words: int) -> tuple[int, int]:
    """How many of its texts have fewer words, and how many there are. Raises ValueError."""
    lengths = [len(_words(text)) for text in _texts(file)]
    return sum(length < words for length in lengths), len(lengths)


def _words(text: str) -> list[str]:
    return Words().word_tokenize(simplify_text(text, _NORMAL_FORM))


def _phases(text: str) -> Iterator[list[str]]:
    """Its words as they may be in a document. In a script such as Thai, they are of so many
    characters, counted from the last space, which may be anywhere before the text.
    """
    plain = simplify_text(text, _NORMAL_FORM)
    for phase in range(SYLLABIC_WORD if IS_SYLLABIC.match(plain) else 1):
        yield Words().word_tokenize(plain[phase:])


def _texts(file: Path) -> Iterator[str]:
    """Raises ValueError with the place of what cannot be read."""
    if {".jsonl", ".json"}.isdisjoint(file.suffixes):
        yield from read_records(file, lambda line: line.decode("utf-8-sig"))
        return
    for value in read_records(file, lambda line: orjson.loads(line) if line.strip() else None):
        yield from _strings(value)


def _strings(value: object) -> Iterator[str]:
    """All in a value of JSON, which may be nested more deeply than calls of Python can be."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            left.extend(reversed(one.values()))
        elif isinstance(one, list):
            left.extend(reversed(one))
