"""``repeated-pages`` and ``exact-duplicates``: one document for each page, or each text."""

from __future__ import annotations

from typing import Final, Literal

from datatrove.data import Document

from refinery.steps import ranking
from refinery.steps.base import Judge, OverallStep, Task, Work

_TABLES: Final = "tables"


class RepeatedPages(OverallStep):
    """Keeps the newest document of each page: crawls that were killed may have a page twice, and
    several corpora the same page. They know a page by its `id`.
    """

    use: Literal["repeated-pages"] = "repeated-pages"
    """The step's name."""

    def prepare(self, work: Work) -> None:
        folder = work.state / _TABLES
        work.over_documents(ranking.RankingTable(folder, ranking.id_of, ranking.value_by("newest")))
        ranking.drop_all_but(ranking.tables(folder), 1, work.state)

    def judge(self, task: Task) -> Judge:
        return ranking.judge_by(task.state, task.rank, "repeated-page")


class ExactDuplicates(OverallStep):
    """Keeps one document for each text; white space does not count."""

    use: Literal["exact-duplicates"] = "exact-duplicates"
    """The step's name."""
    keep: ranking.Best = "newest"
    """Which one is kept: the one that was fetched last, or the longest."""

    def prepare(self, work: Work) -> None:
        folder = work.state / _TABLES
        work.over_documents(
            ranking.IdTable(work.state),
            ranking.RankingTable(folder, _words, ranking.value_by(self.keep)),
        )
        ranking.drop_all_but(ranking.tables(folder), 1, work.state)

    def judge(self, task: Task) -> Judge:
        return ranking.judge_copies(task.state, task.rank, "exact-duplicate")


def _words(document: Document) -> str:
    return " ".join(document.text.split())
