"""What the files in a folder of training are of, so that another run does not go on from them.

Finished folds are not repeated, and a run that was stopped goes on from its state. Neither names
the pages, the recipe or the network that it came from, so the folder does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_NOTE = "run.json"
# What a run that is started again takes from the folder.
_GONE_ON_FROM = ("fold-*.npz", "state/phase-*", "phase-*")


def claim(folder: Path, run: Mapping[str, Any]) -> None:
    """Make the folder this run's; it is made where there is none.

    run: all that decides what is learnt, as plain JSON.
    Raises ValueError where the folder has folds, or the state, of another run.
    """
    note = folder / _NOTE
    noted = json.loads(note.read_bytes()) if note.exists() else {}
    # As it is read back: tuples become lists.
    mine = json.loads(json.dumps(run))
    others = [name for name, value in mine.items() if noted.get(name) != value]
    if others and any(path for pattern in _GONE_ON_FROM for path in folder.glob(pattern)):
        raise ValueError(
            f"{folder} holds folds, or the state, of another recipe or data "
            f"({', '.join(others)}): choose another folder, or remove this one"
        )
    folder.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps(mine, indent=1) + "\n")


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
