"""Durable file operations: what they wrote survives a crash or a power failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

TEMPORARY = ".tmp"


def sync_directory(folder: Path) -> None:
    """Make created, renamed and removed names in ``folder`` durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Create the folder and its missing parents, durably."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync_directory(path.parent)


def complete(path: Path) -> Path:
    """Rename a finished file to its final name, which lacks the last suffix; returns that path."""
    final = path.rename(path.with_suffix(""))
    sync_directory(path.parent)
    return final


def salvage(path: Path, size: int) -> None:
    """Complete an unfinished file with its first ``size`` bytes; remove it if that is nothing."""
    if not size:
        path.unlink()
        sync_directory(path.parent)
        return
    with path.open("r+b") as file:
        file.truncate(size)
        os.fsync(file.fileno())
    complete(path)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that atomically replaces ``path`` when the block ends without an error.

    Readers, also after a crash, see either the old file or the new one.
    """
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        # Do not leave it behind: the disk may be full.
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def replace_file(path: Path, content: bytes) -> None:
    """Write ``content`` to ``path``, as ``replacing`` does."""
    with replacing(path) as file:
        file.write(content)
