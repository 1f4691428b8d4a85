"""Records which run a training folder belongs to, so that no other run resumes or replaces it.

Finished folds are not repeated, and an interrupted run resumes from its saved state. Neither
contains the pages, the recipe or the network that it is from, so these are recorded separately.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_RUN_FILE = "run.json"
# The files that cost a run its time.
_TRAINED = ("fold-*.npz", "state/phase-*", "phase-*", "network.npz")


def claim(folder: Path, run: Mapping[str, Any]) -> None:
    """Claim the folder for this run; it is created if necessary.

    run: everything that determines the result of the training, as plain JSON.
    Raises ValueError, naming what differs, if the folder has folds, the state or the network of
    another run.
    """
    file = folder / _RUN_FILE
    recorded = json.loads(file.read_bytes()) if file.exists() else {}
    # Round trip, because JSON turns tuples into lists.
    wanted = json.loads(json.dumps(run))
    others = [*_differences(recorded, wanted)]
    if others and any(path for pattern in _TRAINED for path in folder.glob(pattern)):
        raise ValueError(
            f"{folder} has folds, the state or the network of a run with another recipe or other "
            f"data ({', '.join(others)}): choose another folder, or remove this one"
        )
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(wanted, indent=1) + "\n")


def check_same_folds(teacher: Path, run: Mapping[str, Any]) -> None:
    """Raises ValueError if a folder's networks were not trained on the same pages and folds.

    They would have seen pages on which a network that they teach is tested.
    """
    recorded = json.loads((teacher / _RUN_FILE).read_bytes())
    wanted = json.loads(json.dumps(run))
    if others := [part for part in ("data", "folds") if recorded.get(part) != wanted[part]]:
        raise ValueError(f"{teacher} was trained with other {' and '.join(others)}")


def _differences(there: Mapping[str, Any], asked: Mapping[str, Any]) -> Iterator[str]:
    """The names of what differs; within parts with names of their own, also the values."""
    for name, value in asked.items():
        other = there.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            for field in value:
                if (its := other.get(field)) != value[field]:
                    yield f"{name}.{field}: {its} there, {value[field]} asked"
        elif other != value:
            yield name


def fingerprint(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
