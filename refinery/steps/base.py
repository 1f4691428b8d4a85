"""What a step of a recipe is: it judges documents one by one, some after a look at all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Protocol

from datatrove.data import Document
from datatrove.pipeline.base import PipelineStep
from pydantic import PlainSerializer

from settings.values import ExistingFile, Table

GivenFile = Annotated[ExistingFile, PlainSerializer(lambda file: file.name, when_used="json")]
"""A file that a recipe names. Where it is tells of a machine, so a data set has its name only."""

Judge = Callable[[int, Document], str | None]
"""Takes the number of a document in its task, and the document, whose text and metadata it may
change; returns why it is dropped, in a few words, or None if it is kept."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task, and the folder with what its step has found in all documents."""

    rank: int
    state: Path


class Work(Protocol):
    """All documents that have come to a step, as tasks that can be run."""

    @property
    def state(self) -> Path:
        """A folder of the step."""
        ...

    def over_documents(self, *blocks: PipelineStep) -> None:
        """Run blocks over all documents. Raises BuildError."""
        ...

    def alone(self, name: str, tasks: int, *blocks: PipelineStep) -> None:
        """Run blocks that read no documents, in a number of tasks. Raises BuildError."""
        ...


class Step(Table):
    """A step of a recipe. Its docstring and those of its keys are its reference."""

    changes_texts: ClassVar[bool] = False
    """Whether it may change the texts of documents that it keeps."""

    @classmethod
    def name(cls) -> str:
        """By which recipes use it."""
        return str(cls.model_fields["use"].default)

    def named_files(self) -> Iterator[Path]:
        """Those of its values that are files."""
        for _, value in self:
            for one in value if isinstance(value, tuple) else (value,):
                if isinstance(one, Path):
                    yield one

    def remark(self) -> str:
        """What a data set tells of it beside numbers of documents; empty if that is nothing."""
        return ""

    def judge(self, task: Task) -> Judge:
        """How the documents of a task are judged; called in the task's process."""
        raise NotImplementedError


class OverallStep(Step):
    """A step that has to look at all documents first."""

    def prepare(self, work: Work) -> None:
        """Find what is needed to judge documents, and write it to ``work.state``."""
        raise NotImplementedError
