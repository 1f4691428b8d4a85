"""Atomic writing of files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A temporary file that replaces ``path`` if the block ends without an error."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        yield file
    part.replace(path)
