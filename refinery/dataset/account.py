"""What a data set tells of itself: its recipe, what each step did, and its figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter

from corpus_commons.durable_files import replace_file
from corpus_commons.extras import installed_version
from corpus_commons.line_files import read_records
from refinery.dataset.arrangement import STATISTICS
from refinery.dataset.changes import Changes
from refinery.dataset.dropped import examples, file_of
from refinery.dataset.sieve import Passed
from refinery.dataset.stages import Numbered, Workshop
from refinery.dataset.statistics import Statistics
from refinery.recipe import Recipe


@dataclass(frozen=True, slots=True)
class StepAccount:
    """What a step did.

    name, settings: as in the recipe. documents, words: that came to it.
    dropped: documents by reason, the most frequent first. examples: some of these.
    changes: of the texts that it kept.
    remark: what else is to be known, as the step says it.
    """

    number: int
    name: str
    settings: dict[str, Any]
    documents: int
    words: int
    dropped: dict[str, int]
    examples: list[dict[str, str]]
    remark: str = ""
    changes: Changes = field(default_factory=Changes)

    @property
    def kept(self) -> int:
        """Documents that went on."""
        return self.documents - sum(self.dropped.values())


@dataclass(frozen=True, slots=True)
class Built:
    """A data set: recipe without steps, what these did, and the figures of each split.

    version: of the program that made it; None if it is not known. forgotten: documents that
    ``corpus forget`` has removed since.
    """

    recipe: dict[str, Any]
    steps: Sequence[StepAccount]
    splits: dict[str, Statistics]
    version: str | None = None
    forgotten: int = 0

    @property
    def documents(self) -> int:
        """Of the corpora."""
        return self.steps[0].documents if self.steps else self.whole.documents

    @property
    def whole(self) -> Statistics:
        """The figures of all splits together."""
        found = Statistics()
        for statistics in self.splits.values():
            found.merge(statistics)
        return found

    def write(self, path: Path) -> None:
        replace_file(path, orjson.dumps(self, option=orjson.OPT_INDENT_2) + b"\n")

    @staticmethod
    def read(path: Path) -> Built:
        """Raises ValueError for what was not written by ``write``."""
        return _BUILT.validate_json(path.read_bytes())


_BUILT = TypeAdapter(Built)


def collect(
    workshop: Workshop, recipe: Recipe, stages: Sequence[Sequence[Numbered]], dropped: Path
) -> Built:
    """What the tasks have counted, of all stages and files."""
    steps = []
    for stage, numbered in enumerate(stages):
        account = workshop.accounts(stage)
        for number, step in numbered:
            passed = account.steps.get(number, Passed())
            file = file_of(dropped, number, step.name())
            lines = read_records(file, orjson.loads) if file.exists() else ()
            settings = step.model_dump(mode="json", exclude={"use"}, exclude_defaults=True)
            steps.append(
                StepAccount(
                    number,
                    step.name(),
                    settings,
                    passed.documents,
                    passed.words,
                    dict(sorted(passed.dropped.items(), key=lambda one: (-one[1], one[0]))),
                    examples(lines),
                    step.remark(),
                    passed.changes.shown(),
                )
            )
    splits: dict[str, Statistics] = {}
    for path in sorted((workshop.folder / STATISTICS).glob("*.json")):
        found = Statistics.read(path)
        if found.documents:
            splits.setdefault(path.stem.partition("-")[0], Statistics()).merge(found)
    whole = recipe.model_dump(mode="json", exclude={"steps"})
    return Built(whole, steps, splits, installed_version())
