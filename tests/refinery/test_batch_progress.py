"""The progress of batch work."""

from __future__ import annotations

from pathlib import Path

from refinery.completions import Completions


def test_tasks_that_end_between_two_looks_are_counted_at_once(tmp_path: Path) -> None:
    completions = Completions(tmp_path)
    assert list(completions.new()) == []
    completions.folder.mkdir()
    for number in range(200):
        (completions.folder / f"{number:05d}").touch()
    assert list(completions.new()) == list(range(1, 201))
    assert list(completions.new()) == []
    assert completions.count() == 200
