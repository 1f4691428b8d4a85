"""How many tasks of a run are complete: datatrove leaves a file for each."""

from __future__ import annotations

from pathlib import Path


class Completions:
    """logs: the run's folder for logs, of which datatrove makes the rest.

    told: how many ``new`` has told of.
    """

    def __init__(self, logs: Path) -> None:
        self.folder = logs / "completions"
        self.told = 0

    def count(self) -> int:
        return sum(1 for _ in self.folder.glob("*"))

    def new(self) -> range:
        """Those that were not told of before, counted from 1; it looks into the folder once."""
        before, self.told = self.told, self.count()
        return range(before + 1, self.told + 1)
