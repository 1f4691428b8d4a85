"""The URI by which SQLite opens a file that is there already."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal


def sqlite_uri(path: Path, mode: Literal["ro", "rw"]) -> str:
    """For ``sqlite3.connect(…, uri=True)``.

    To read a file that is in write-ahead mode, SQLite makes files beside it. Where that cannot be
    done, and none are left that must be read too, the file is read as one that nobody changes.
    """
    log = path.with_name(f"{path.name}-wal")
    query = f"mode={mode}"
    if not os.access(path.parent, os.W_OK) and not log.exists():
        query = "mode=ro&immutable=1"
    return f"{path.absolute().as_uri()}?{query}"
