"""How far a fuzz run is, and what it has found, in a folder; so it can be stopped and resumed."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from benchmarks.fuzz.batch import Finding, Tally
from corpus_commons.terminal.commands import UsageError

_FILE: Final = "progress.json"
_FINDINGS: Final = "findings"


class ProgressError(UsageError):
    """The folder holds a run with another seed; the message names it."""


@dataclass(slots=True)
class Count:
    """What became of the inputs of one reader so far."""

    inputs: int = 0
    refused: int = 0
    slowest: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)


class Progress:
    """The counts by reader. Raises ProgressError if the folder is of a run with another seed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._seed = seed
        self._counts: dict[str, Count] = {}
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / _FILE).exists():
            stored: dict[str, Any] = json.loads((folder / _FILE).read_text())
            if stored["seed"] != seed:
                raise ProgressError(
                    f"{folder} holds a run with --seed {stored['seed']}, not {seed}; "
                    "give the same one, or another --folder"
                )
            for name, count in stored["readers"].items():
                count["faults"] = Counter(count["faults"])
                self._counts[name] = Count(**count)

    def count(self, name: str) -> Count:
        return self._counts.setdefault(name, Count())

    def add(self, name: str, tally: Tally) -> None:
        """Add the inputs of a batch, and write down what was found in it."""
        count = self.count(name)
        for finding in tally.findings:
            if finding.fault not in count.faults:
                self._keep(name, finding)
        count.inputs += tally.inputs
        count.refused += tally.refused
        count.slowest = max(count.slowest, tally.slowest)
        count.faults += tally.faults
        self._save()

    def _keep(self, name: str, finding: Finding) -> None:
        place = self._folder / _FINDINGS
        place.mkdir(exist_ok=True)
        case = f"{name}-{sha256(finding.data).hexdigest()[:8]}"
        (place / f"{case}.bin").write_bytes(finding.data)
        text = f"{finding.fault}\ninput {finding.number}\n{finding.detail}"
        (place / f"{case}.txt").write_text(text)

    def _save(self) -> None:
        readers = {
            name: {
                "inputs": count.inputs,
                "refused": count.refused,
                "slowest": count.slowest,
                "faults": dict(count.faults),
            }
            for name, count in self._counts.items()
        }
        new = self._folder / f"{_FILE}.new"
        new.write_text(json.dumps({"seed": self._seed, "readers": readers}, indent=1))
        new.replace(self._folder / _FILE)
