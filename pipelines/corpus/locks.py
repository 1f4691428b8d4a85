"""The lock on a writer's name: only one process may use it."""

from __future__ import annotations

from pathlib import Path

from corpus_commons.durable_files import make_folder
from corpus_commons.file_lock import FileLock, LockedError, is_held
from pipelines.corpus.errors import CorpusError, CorpusInUseError
from pipelines.corpus.layout import Layout


def hold_lock(layout: Layout, *, wait: bool = False) -> FileLock:
    """Take the lock, and make the folder if need be.

    wait: for the process that holds it.
    Raises CorpusInUseError if another process holds it, and another CorpusError if the folder
    cannot be written.
    """
    try:
        make_folder(layout.folder)
        return FileLock(layout.lock, wait=wait)
    except LockedError:
        raise CorpusInUseError(
            f"another process writes to {layout.folder} as {layout.writer!r}; "
            "choose another worker name"
        ) from None
    except OSError as error:
        raise CorpusError(f"cannot write {layout.folder}: {error.strerror}") from error


def is_in_use(folder: Path, writer: str) -> bool:
    """Whether a running process writes to the folder under this name, by its lock."""
    try:
        return is_held(Layout(folder, writer).lock)
    except (OSError, ValueError):
        # It cannot be told there, or the name is not a valid writer name.
        return False
