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

_RUN_FILE = "run.json"
# The files from which a run resumes.
_RESUMED_FROM = ("fold-*.npz", "state/phase-*", "phase-*")


def claim(folder: Path, run: Mapping[str, Any]) -> None:
    """Claim the folder for this run; it is created if necessary.

    run: everything that determines the result of the training, as plain JSON.
    Raises ValueError if the folder has folds, or the state, of another run.
    """
    file = folder / _RUN_FILE
    recorded = json.loads(file.read_bytes()) if file.exists() else {}
    # Round trip, because JSON turns tuples into lists.
    wanted = json.loads(json.dumps(run))
    others = [name for name, value in wanted.items() if recorded.get(name) != value]
    if others and any(path for pattern in _RESUMED_FROM for path in folder.glob(pattern)):
        raise ValueError(
            f"{folder} has folds, or the state, of a run with another recipe or other data "
            f"({', '.join(others)}): choose another folder, or remove this one"
        )
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(wanted, indent=1) + "\n")


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
