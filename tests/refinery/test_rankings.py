"""Decisions about all documents, and how each task gets its own."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from datatrove.data import Document

from refinery.steps import ranking


def table(folder: Path, rank: int, groups: str) -> None:
    """The table of a task with a document of each group; the later ones are better."""
    documents = (
        Document("", f"{rank} {number}", metadata={"group": group, "value": number})
        for number, group in enumerate(groups)
    )
    block = ranking.RankingTable(
        folder, lambda one: one.metadata["group"], lambda one: one.metadata["value"]
    )
    list(block.run(documents, rank))


@pytest.mark.parametrize("ranks", [(0, 1, 2), (99_998, 99_999, 100_000)])
def test_each_task_drops_its_own_documents(tmp_path: Path, ranks: tuple[int, ...]) -> None:
    for rank, groups in zip(ranks, ("aab", "cd", "bca"), strict=True):
        table(tmp_path / "tables", rank, groups)
    rows = ranking.tables(tmp_path / "tables")
    assert rows["rank"].tolist() == [rank for rank in ranks for _ in rows[rows["rank"] == rank]]
    ranking.drop_all_but(rows, 1, tmp_path)
    dropped = []
    for rank in ranks:
        judge = ranking.judge_by(tmp_path, rank, "worse")
        dropped.append(
            [number for number in range(3) if judge(number, Document("", "")) == "worse"]
        )
    assert dropped == [[0, 1], [0], [0]]


def test_ids_are_written_only_where_copies_name_what_was_kept(tmp_path: Path) -> None:
    table(tmp_path / "tables", 0, "aa")
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["00000.npy"]
    ranking.drop_all_but(ranking.tables(tmp_path / "tables"), 1, tmp_path)
    copy, best = Document("", "worse"), Document("", "better")
    assert [*ranking.IdTable(tmp_path).run(iter([copy, best]))] == [copy, best]
    judge = ranking.judge_copies(tmp_path, 0, "copy")
    assert [judge(0, copy), judge(1, best)] == ["copy", None]
    assert copy.metadata == {ranking.COPY_OF: "better"}


def test_where_all_are_the_best_nothing_is_dropped(tmp_path: Path) -> None:
    table(tmp_path / "tables", 0, "ab")
    ranking.drop_all_but(ranking.tables(tmp_path / "tables"), 1, tmp_path)
    assert ranking.judge_by(tmp_path, 0, "worse")(0, Document("", "")) is None


def test_a_task_loads_no_decisions_about_other_tasks(tmp_path: Path) -> None:
    rows = np.zeros(200_000, dtype=ranking.tables(tmp_path).dtype)
    rows["rank"], rows["number"] = np.divmod(np.arange(len(rows)), 100)
    ranking.drop_all_but(rows, 1, tmp_path)
    tracemalloc.start()
    judge = ranking.judge_by(tmp_path, 1000, "worse")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert judge(99, Document("", "")) == "worse"
    assert peak < 100_000
