"""``decontaminate``: documents that have text of an evaluation in them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
import orjson
from datatrove.data import Document
from datatrove.pipeline.decont import NGramsDecontConfig, NGramsDecontFilter
from datatrove.utils.hashing import create_hash_func
from datatrove.utils.text import ngrams, simplify_text
from pydantic import Field

from refinery.steps.base import GivenFile, Judge, OverallStep, Task, Work
from refinery.steps.words import Words
from settings.values import Many

_INDEX: Final = "index"
_HASHES: Final = ".index.hashes"


class Decontaminate(OverallStep):
    """Drops documents that share an n-gram of words with the texts of evaluations, by datatrove's
    filter; case and marks do not count.
    """

    use: Literal["decontaminate"] = "decontaminate"
    """The step's name."""
    files: Annotated[Many[GivenFile], Field(min_length=1)]
    """Texts of evaluations: a text a line, or JSON Lines, of which all strings are taken."""
    words: Annotated[int, Field(ge=1, le=100)] = 12
    """The words of an n-gram. Shorter texts cannot be found."""

    def prepare(self, work: Work) -> None:
        config = NGramsDecontConfig(n_grams=self.words)
        hashed = create_hash_func(config.hash_config)
        folder = work.state / _INDEX
        folder.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(self.files):
            found = {
                hashed(" ".join(gram))
                for text in _texts(file)
                for gram in ngrams(
                    Words().word_tokenize(simplify_text(text, config.norm_config)), self.words
                )
            }
            name = f"{number:03d}-{file.stem}{_HASHES}"
            np.array(sorted(found), dtype=config.hash_config.np_descr).tofile(folder / name)

    def judge(self, task: Task) -> Judge:
        rule = NGramsDecontFilter(
            str(task.state / _INDEX), NGramsDecontConfig(n_grams=self.words), language=Words()
        )

        def judge(_: int, document: Document) -> str | None:
            found = rule.filter(document)
            return None if found is True else "contaminated"

        return judge


def _texts(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    if file.suffix not in {".jsonl", ".json"}:
        return lines
    return [text for line in lines if line.strip() for text in _strings(orjson.loads(line))]


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _strings(one)]
