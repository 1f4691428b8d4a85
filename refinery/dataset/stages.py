"""The stages of a recipe: each begins with a step that looks at all documents, but for the first.

Documents go from stage to stage as files, so that a killed run goes on with the task that it was
at. What a stage needs no longer is removed.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from datatrove.pipeline.base import PipelineStep

from refinery.dataset.errors import BuildError, RequestError
from refinery.dataset.sieve import Account, Sieve, accounts
from refinery.dataset.working_files import WorkingReader, WorkingWriter
from refinery.executors import Place, run
from refinery.steps.base import OverallStep, Step

Numbered = tuple[int, Step]

_DOCUMENTS, _STATE, _ACCOUNTS, _LOGS = "documents", "state", "accounts", "logs"
_DROPPED: Final = "dropped"
# Marks what is complete.
_PREPARED: Final = "prepared"


def stages_of(steps: Sequence[Step]) -> list[list[Numbered]]:
    """The steps with their numbers, counted from 1, by stage."""
    stages: list[list[Numbered]] = [[]]
    for number, step in enumerate(steps, start=1):
        if isinstance(step, OverallStep):
            stages.append([])
        stages[-1].append((number, step))
    return stages


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where a recipe is at work.

    folder: for everything that is not yet the data set. source: reads the documents of corpora.
    tasks: how many parts they are in. whole: keep the whole text of dropped documents. masks: the
    steps that are done to these, too, wherever they were dropped.
    """

    folder: Path
    source: PipelineStep
    tasks: int
    place: Place
    whole: bool
    masks: Sequence[Step]

    @property
    def dropped(self) -> Path:
        """The folder of dropped documents, one for each step."""
        return self.folder / _DROPPED

    def documents(self, stage: int) -> PipelineStep:
        """A reader of what came out of a stage; -1 for the corpora."""
        if stage < 0:
            return self.source
        return WorkingReader(self._documents(stage))

    def do_all(self, stages: Sequence[Sequence[Numbered]]) -> None:
        """Do the stages that are left. Raises BuildError."""
        done = [
            stage for stage in range(len(stages)) if (self._documents(stage) / _PREPARED).exists()
        ]
        for stage in range(max(done, default=-1) + 1, len(stages)):
            self._do(stage, stages[stage])

    def _do(self, stage: int, steps: Sequence[Numbered]) -> None:
        for number, step in steps:
            if isinstance(step, OverallStep):
                self._prepare(stage, number, step)
        sieve = Sieve(
            steps,
            state=self.folder / _STATE,
            dropped=self.dropped,
            account=self.folder / _ACCOUNTS / str(stage),
            whole=self.whole,
            masks=self.masks,
        )
        writer = WorkingWriter(self._documents(stage), "${rank}")
        blocks = [self.documents(stage - 1), sieve, writer]
        self.run(f"stage-{stage}", self.tasks, *blocks, what=f"parts of stage {stage + 1}")
        if not list(self._documents(stage).glob("*.zst")):
            raise RequestError(_nothing_left(self.accounts(stage), steps))
        (self._documents(stage) / _PREPARED).touch()
        if stage:
            shutil.rmtree(self._documents(stage - 1))
        for number, _ in steps:
            shutil.rmtree(self.folder / _STATE / str(number), ignore_errors=True)

    def accounts(self, stage: int) -> Account:
        """The accounts of a stage."""
        return accounts(self.folder / _ACCOUNTS / str(stage))

    def bytes(self, stage: int) -> int:
        """The compressed size of what came out of a stage."""
        return sum(path.stat().st_size for path in self._documents(stage).glob("*.zst"))

    def run(self, name: str, tasks: int, *blocks: PipelineStep, what: str = "tasks") -> None:
        """Run blocks in a number of tasks. Raises BuildError if one of them fails."""
        outcome = run(blocks, tasks, self.folder / _LOGS / name, self.place, what=what)
        if outcome.done < outcome.tasks:
            why = "; ".join(dict.fromkeys(outcome.failures)) or "tasks were lost"
            raise BuildError(f"{why}; run the same command again to go on from there")

    def _documents(self, stage: int) -> Path:
        return self.folder / f"{_DOCUMENTS}-{stage}"

    def _prepare(self, stage: int, number: int, step: OverallStep) -> None:
        work = StageWork(self, stage, number)
        if not (work.state / _PREPARED).exists():
            work.state.mkdir(parents=True, exist_ok=True)
            step.prepare(work)
            (work.state / _PREPARED).touch()


@dataclass(frozen=True, slots=True)
class StageWork:
    """What a step at the beginning of a stage sees; see ``refinery.steps.base.Work``."""

    workshop: Workshop
    stage: int
    number: int

    @property
    def state(self) -> Path:
        """The folder of the step."""
        return self.workshop.folder / _STATE / str(self.number)

    def over_documents(self, *blocks: PipelineStep) -> None:
        """Run blocks over all documents. Raises BuildError."""
        source = self.workshop.documents(self.stage - 1)
        self._run("documents", self.workshop.tasks, source, *blocks)

    def alone(self, name: str, tasks: int, *blocks: PipelineStep) -> None:
        """Run blocks that read no documents, in a number of tasks. Raises BuildError."""
        self._run(name, tasks, *blocks)

    def _run(self, name: str, tasks: int, *blocks: PipelineStep) -> None:
        what = f"parts of step {self.number}: {name}"
        self.workshop.run(f"step-{self.number}-{name}", tasks, *blocks, what=what)


def _nothing_left(account: Account, steps: Sequence[Numbered]) -> str:
    for number, step in reversed(steps):
        passed = account.steps.get(number)
        if passed is not None and passed.documents:
            [(reason, count), *_] = passed.dropped.most_common(1)
            return (
                f"no document is left: step {number}, {step.name()}, dropped the last "
                f"{passed.dropped.total():,}, {count:,} of them for {reason}"
            )
    return "the corpora have no documents"
