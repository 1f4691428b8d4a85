"""The lock on a writer's name: only one process may use it."""

from __future__ import annotations

import fcntl
import os

from corpus_commons.durable_files import make_folder
from pipelines.corpus.errors import CorpusError, CorpusInUseError
from pipelines.corpus.layout import Layout


def hold_lock(layout: Layout) -> int:
    """Take the lock, and make the folder if need be; returns a descriptor to be closed.

    The kernel releases it when the process ends, however it ends. Raises CorpusInUseError if
    another process holds it, and another CorpusError if the folder cannot be written.
    """
    try:
        make_folder(layout.folder)
        lock = os.open(layout.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError as error:
        raise CorpusError(f"cannot write {layout.folder}: {error}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise CorpusInUseError(
            f"another process writes to {layout.folder} as {layout.writer!r}; "
            "choose another worker name"
        ) from None
    return lock
