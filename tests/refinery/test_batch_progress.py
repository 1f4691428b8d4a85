"""The progress of batch work."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from refinery import executors


def test_tasks_that_end_between_two_looks_are_counted_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, count = tmp_path / "completions", executors._completed
    folder.mkdir()
    for number in range(200):
        (folder / f"{number:05d}").touch()
    looks: list[int] = []

    def looked(logs: Path) -> int:
        looks.append(count(logs))
        return looks[-1]

    monkeypatch.setattr(executors, "_completed", looked)
    monkeypatch.setattr(executors, "_SECONDS_BETWEEN_LOOKS", 0.05)
    with executors._progress(tmp_path, 200, "tasks"):
        time.sleep(0.5)
    assert looks == [200]
