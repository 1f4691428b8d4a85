"""Writing that survives a crash: what was promised is on the disk, not in a cache."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

TEMPORARY = ".tmp"


def sync_directory(folder: Path) -> None:
    """Make the names in ``folder`` durable: new files, renamed and removed ones."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """The folder and those above it, made durable."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync_directory(path.parent)


def cut(path: Path, size: int) -> None:
    """Leave the first ``size`` bytes of the file."""
    with path.open("r+b") as file:
        file.truncate(size)
        os.fsync(file.fileno())


def complete(path: Path) -> Path:
    """Give a file that is whole its final name, which is its name without the last suffix."""
    final = path.rename(path.with_suffix(""))
    sync_directory(path.parent)
    return final


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of the one at ``path`` when the block ends without an error.

    A reader, or a crash, meets the old file or the new one.
    """
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with temporary.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        # On a full disk it would only take more room.
        temporary.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def replace_file(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``, as ``replacing`` does."""
    with replacing(path) as file:
        file.write(content)
