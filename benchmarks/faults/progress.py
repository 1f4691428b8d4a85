"""What a long run of trials has done so far, a line a trial, so that it can be resumed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from benchmarks.faults.trials import Trial
from corpus_commons.terminal.commands import UsageError

_PLAN: Final = "plan.json"
_TRIALS: Final = "trials.jsonl"


class ProgressError(UsageError):
    """The folder holds a run with other options; the message names them."""


class Progress:
    """The concluded trials of a folder, by kind and number.

    options: which must be the same when the run is resumed. Raises ProgressError.
    """

    def __init__(self, folder: Path, options: Mapping[str, object]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / _TRIALS
        self._known: dict[tuple[str, int], Trial] = {}
        _check(folder / _PLAN, options)
        if self._file.exists():
            self._read()

    def known(self, kind: str, number: int) -> Trial | None:
        """The trial, if it was concluded."""
        return self._known.get((kind, number))

    def add(self, kind: str, number: int, trial: Trial) -> None:
        """Write a concluded trial down; it is on disk when this returns."""
        self._known[kind, number] = trial
        line = {"kind": kind, "number": number, **asdict(trial)}
        with self._file.open("a") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _read(self) -> None:
        lines = self._file.read_text().splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        if len(whole) < len(lines):  # The run was killed while it wrote.
            self._file.write_text("".join(whole))
        for line in map(json.loads, whole):
            name = line.pop("kind"), line.pop("number")
            self._known[name] = Trial(**line)


def _check(file: Path, options: Mapping[str, object]) -> None:
    """Write the options, or compare them with those that are there."""
    given = json.loads(json.dumps(options))
    if not file.exists():
        file.write_text(json.dumps(given))
        return
    before = json.loads(file.read_text())
    differing = [
        f"--{name.replace('_', '-')} is {given.get(name)}, but was {before.get(name)}"
        for name in given.keys() | before.keys()
        if given.get(name) != before.get(name)
    ]
    if differing:
        raise ProgressError(
            f"{file.parent} holds a run with other options: {'; '.join(sorted(differing))}; "
            "give the same ones, or another --folder"
        )
