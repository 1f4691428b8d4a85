"""How many tasks of a run are complete: datatrove leaves a file for each."""

from __future__ import annotations

from pathlib import Path


class Completions:
    """logs: the run's folder for logs, of which datatrove makes the rest."""

    def __init__(self, logs: Path) -> None:
        self.folder = logs / "completions"
        self._told = 0

    def count(self) -> int:
        return sum(1 for _ in self.folder.glob("*"))

    def new(self) -> range:
        """Those that were not told of before, counted from 1; it looks into the folder once."""
        before, self._told = self._told, self.count()
        return range(before + 1, self._told + 1)
