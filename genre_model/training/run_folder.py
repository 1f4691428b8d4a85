"""Records which run a training folder belongs to, so that no other run resumes from it.

Finished folds are not repeated, and an interrupted run resumes from its saved state. Neither
contains the pages, the recipe or the network that it is from, so these are recorded separately.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_NOTE = "run.json"
# The files from which a run resumes.
_GONE_ON_FROM = ("fold-*.npz", "state/phase-*", "phase-*")


def claim(folder: Path, run: Mapping[str, Any]) -> None:
    """Claim the folder for this run; it is created if necessary.

    run: everything that determines the result of the training, as plain JSON.
    Raises ValueError if the folder has folds, or the state, of another run.
    """
    note = folder / _NOTE
    noted = json.loads(note.read_bytes()) if note.exists() else {}
    # Round trip, because JSON turns tuples into lists.
    mine = json.loads(json.dumps(run))
    others = [name for name, value in mine.items() if noted.get(name) != value]
    if others and any(path for pattern in _GONE_ON_FROM for path in folder.glob(pattern)):
        raise ValueError(
            f"{folder} has folds, or the state, of a run with another recipe or other data "
            f"({', '.join(others)}): choose another folder, or remove this one"
        )
    folder.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps(mine, indent=1) + "\n")


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
