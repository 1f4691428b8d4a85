"""Unique names for workers, any number of which may share a job's folder on one machine.

A name is a lock file that is held while its worker runs, and removed after a clean shutdown. New
workers first reuse the names of workers that were killed, and so complete their open shards. Names
that a user gives are locked as well, so that they are not assigned.
"""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final

from corpus_commons.file_lock import FileLock, LockedError
from crawler.exit_codes import InUseError

FOLDER: Final = ".workers"
# The name of the only worker of an embedded frontier.
WORKER: Final = "worker-1"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_HOST: Final = 48


def checked_name(text: str) -> str:
    """The name; raises ValueError if it cannot be part of file names.

    >>> checked_name("host-1")
    'host-1'
    """
    if not _NAME.fullmatch(text):
        raise ValueError(
            'must have at most 64 ASCII letters, digits, ".", "_" and "-", beginning with a letter '
            f'or digit, such as "{WORKER}"'
        )
    return text


class NameInUseError(InUseError):
    """Another process uses the given name."""


@dataclass(frozen=True, slots=True)
class WorkerName:
    """A name and its lock file."""

    name: str
    path: Path

    def retire(self) -> None:
        """Remove the lock file: the worker left nothing to be recovered."""
        self.path.unlink(missing_ok=True)


@contextlib.contextmanager
def worker_name(
    folder: Path, host: str | None = None, *, given: str | None = None
) -> Iterator[WorkerName]:
    """A name such as ``host-1``, unique in the job's folder while the block runs.

    host: by default the machine's name; machines that share a folder need different names.
    given: a name to use instead of an assigned one.
    Raises OSError if the folder cannot be written, NameInUseError if the given name is in use.
    """
    locks = folder / FOLDER
    locks.mkdir(parents=True, exist_ok=True)
    names = [given] if given else _names(locks, host or socket.gethostname())
    for name in names:
        with contextlib.suppress(LockedError):
            lock = FileLock(locks / name)
            break
    else:
        raise NameInUseError(
            f"another process works in {folder} as {given!r}; choose another worker name"
        )
    with lock:
        yield WorkerName(name, locks / name)


def _names(locks: Path, host: str) -> Iterator[str]:
    """Names of this machine: those left by killed workers, then new ones."""
    host = _NOT_IN_A_NAME.sub("-", host).strip("-_")[:_LONGEST_HOST] or "worker"
    mine = re.compile(rf"{host}-[0-9]+")
    left = sorted(path.name for path in locks.iterdir() if mine.fullmatch(path.name))
    return chain(left, (f"{host}-{number}" for number in count(1)))
