"""``Sieve``: a run of a recipe's steps over the documents of a task, with an account of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson
from datatrove.data import Document, DocumentsPipeline
from datatrove.pipeline.base import PipelineStep

from corpus_commons.durable_files import replace_file
from corpus_commons.markup.beginnings import beginning
from corpus_commons.markup.words import count_words
from refinery.blocks.documents import host_of
from refinery.dataset.changes import Changes
from refinery.dataset.working_files import WorkingWriter
from refinery.steps.base import Judge, Step, Task

REASON: Final = "dropped_reason"
STEP: Final = "dropped_by"

# Characters at most of the text of a dropped document that are kept if it is not asked for.
EXCERPT: Final = 300


@dataclass(slots=True)
class Passed:
    """What came to a step: numbers of documents and words. dropped: documents by reason. changes:
    in those that it kept.
    """

    documents: int = 0
    words: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    changes: Changes = field(default_factory=Changes)

    def add(self, other: dict[str, Any]) -> None:
        self.documents += other["documents"]
        self.words += other["words"]
        self.dropped.update(other["dropped"])
        self.changes.merge(other["changes"])


@dataclass(slots=True)
class Account:
    """What a task did.

    steps: what came to each, by their number in the recipe.
    hosts: documents that were kept, by host.
    """

    steps: dict[int, Passed] = field(default_factory=dict)
    hosts: Counter[str] = field(default_factory=Counter)

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, orjson.dumps(self, option=orjson.OPT_NON_STR_KEYS))


def accounts(folder: Path) -> Account:
    """The accounts of all tasks together."""
    whole = Account()
    for path in sorted(folder.glob("*.json")):
        found = orjson.loads(path.read_bytes())
        whole.hosts.update(found["hosts"])
        for number, passed in found["steps"].items():
            whole.steps.setdefault(int(number), Passed()).add(passed)
    return whole


class Sieve(PipelineStep):
    """Passes on the documents that all of the steps keep.

    steps: with their numbers in the recipe. state: the folder that has one for each number.
    dropped: gets the others as they came to the step, a folder for each number, with ``dropped_by``
        and ``dropped_reason``; their text is cut unless ``whole`` is set. masks: steps that are
        done to these, too, since they may come later. account: a folder for each task's account.
    """

    type = "🔻 - FILTER"
    name = "recipe"

    def __init__(
        self,
        steps: Sequence[tuple[int, Step]],
        *,
        state: Path,
        dropped: Path,
        account: Path,
        whole: bool,
        masks: Sequence[Step],
    ) -> None:
        super().__init__()
        self.steps, self.state, self.account, self.whole = list(steps), state, account, whole
        self.masks = list(masks)
        self.writer = WorkingWriter(dropped, f"${{{STEP}}}/${{rank}}")

    def run(
        self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1
    ) -> Iterator[Document]:
        masks = [step.judge(Task(rank, self.state)) for step in self.masks]
        account = Account({number: Passed() for number, _ in self.steps})
        judges = [
            (number, step.judge(Task(rank, self.state / str(number))))
            for number, step in self.steps
        ]
        with self.writer:
            for index, document in enumerate(data):
                for number, judge in judges:
                    passed = account.steps[number]
                    passed.documents += 1
                    passed.words += count_words(document.text)
                    before = document.text
                    reason = judge(index, document)
                    if reason is None and not document.text.strip():
                        reason = "empty"
                    if reason is not None:
                        passed.dropped[reason] += 1
                        document.text = before
                        for mask in masks:
                            mask(index, document)
                        self._drop(document, number, reason, rank)
                        break
                    passed.changes.add(before, document.text)
                else:
                    account.hosts[host_of(document)] += 1
                    yield document
        for passed in account.steps.values():
            passed.changes = passed.changes.masked(partial(_masked, masks))
        account.write(self.account / f"{rank:05d}.json")

    def _drop(self, document: Document, number: int, reason: str, rank: int) -> None:
        if not self.whole:
            document.text = beginning(document.text, EXCERPT)
        step = {STEP: f"{number:02d}"}
        document.metadata |= step | {REASON: reason}
        self.writer.write(document, rank, **step)


def _masked(masks: Sequence[Judge], line: str) -> str:
    document = Document(line, "")
    for mask in masks:
        mask(0, document)
    return str(document.text)
