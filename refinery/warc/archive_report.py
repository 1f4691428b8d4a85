"""What was found in an archive: it is told, and the archive is read again if its size changes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import orjson
from pydantic import TypeAdapter

from corpus_commons.durable_files import make_folder, replace_file


@dataclass(slots=True)
class ArchiveReport:
    """What ``WarcReader`` has found.

    size: of the file as it was read, in bytes. found: pages, texts and rejects. passed_over:
    responses that are no pages, by why. damage: where the file is first cut off or damaged; empty
    if nowhere.
    """

    size: int = 0
    found: int = 0
    passed_over: Counter[str] = field(default_factory=Counter)
    damage: str = ""

    @property
    def problem(self) -> str:
        """What whoever gave the archive should know; empty if it is as archives should be."""
        nothing = "" if self.found or self.passed_over else "it has no response and no text"
        return self.damage or nothing

    def write(self, path: Path) -> None:
        """Raises OSError."""
        make_folder(path.parent)
        replace_file(path, orjson.dumps(self))

    @staticmethod
    def read(path: Path) -> ArchiveReport | None:
        """None if nothing was written there."""
        return _REPORT.validate_json(path.read_bytes()) if path.exists() else None


_REPORT = TypeAdapter(ArchiveReport)
