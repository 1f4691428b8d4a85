"""``sample``: at most so many documents of each host or genre."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Final, Literal

import numpy as np
from datatrove.data import Document
from pydantic import Field

from refinery.blocks.documents import host_of
from refinery.steps import ranking
from refinery.steps.base import Judge, OverallStep, Task, Work
from settings.values import Finding

_Most = Annotated[int, Field(ge=1)]
_LARGEST: Final = 2**64
# The keys of the step, by what documents are grouped by.
_BY: Final = ("host", "genre", "page_type", "language")


class Sample(OverallStep):
    """Keeps a random sample, always the same one for the same documents. With several keys, each
    chooses among those that the keys before it have left, in the order below.
    """

    use: Literal["sample"] = "sample"
    """The step's name."""
    share: Annotated[float, Field(gt=0, le=1)] = 1
    """The share of all documents that is kept, before the other keys."""
    per_host: _Most | None = None
    """The most documents of a host."""
    per_genre: _Most | None = None
    """The most documents of each genre, and as many of unsure genre."""
    per_page_type: _Most | None = None
    """The same for page types."""
    per_language: _Most | None = None
    """The same for languages."""
    seed: Annotated[int, Field(ge=0)] = 0
    """Another number chooses another sample. Two steps must have different ones: with one, both
    would prefer the same documents."""

    def contradictions(self) -> Iterator[Finding]:
        if self.share == 1 and not self._limits():
            yield ("share",), "is missing, as are all others; give at least one of them"

    def prepare(self, work: Work) -> None:
        limits = self._limits()
        work.over_documents(
            *(
                ranking.RankingTable(
                    work.state / f"tables-{by}", partial(self._group, by), self._value
                )
                for by in limits
            )
        )
        gone = np.empty(0, np.uint64)
        for by, most in limits.items():
            rows = ranking.tables(work.state / f"tables-{by}")
            left = rows[~np.isin(ranking.places(rows), gone)]
            lost = ranking.drop_all_but(left, most, work.state / by)
            gone = np.append(gone, ranking.places(lost))

    def judge(self, task: Task) -> Judge:
        judges = [
            ranking.judge_by(task.state / by, task.rank, f"per-{by.replace('_', '-')}")
            for by in self._limits()
        ]

        def judge(number: int, document: Document) -> str | None:
            if self._chance(document) >= self.share:
                return "share"
            return next(filter(None, (one(number, document) for one in judges)), None)

        return judge

    def _limits(self) -> dict[str, int]:
        found = {by: getattr(self, f"per_{by}") for by in _BY}
        return {by: most for by, most in found.items() if most is not None}

    def _group(self, by: str, document: Document) -> str | None:
        """The group of a document; None for one that the share leaves out anyway."""
        if self._chance(document) >= self.share:
            return None
        return host_of(document) if by == "host" else document.metadata.get(by) or ""

    def _value(self, document: Document) -> float:
        return -self._chance(document)

    def _chance(self, document: Document) -> float:
        """A number from 0 to 1, which depends on the id and the seed alone."""
        return ranking.digest(f"{self.seed} {document.id}") / _LARGEST
