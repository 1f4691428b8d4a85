"""What a worker of a fleet is called: on one machine, as many as like may share a job's folder.

A name is a file that is locked while its worker lives, and removed when it ends in order. Whoever
comes next takes the name of one that did not before a new one, and with it the open shards that
were left. A name that is given is locked as well, so that none is made that equals it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final

FOLDER: Final = ".workers"
# Of the one worker that a crawl without a fleet has.
WORKER: Final = "worker-1"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_HOST: Final = 48


def checked_name(text: str) -> str:
    """The name itself, which becomes part of file names. Raises ValueError that says what is right.

    >>> checked_name("host-1")
    'host-1'
    """
    if not _NAME.fullmatch(text):
        raise ValueError(
            'must be at most 64 letters, digits, ".", "_" and "-" of ASCII, a letter or digit '
            f'first, such as "{WORKER}"'
        )
    return text


class NameInUseError(Exception):
    """Another process has the name that was given; the message says so."""


@dataclass(frozen=True, slots=True)
class WorkerName:
    """A name, and the file that stands for it."""

    name: str
    path: Path

    def retire(self) -> None:
        """The worker has left nothing that must be taken up."""
        self.path.unlink(missing_ok=True)


@contextlib.contextmanager
def worker_name(
    folder: Path, host: str | None = None, *, given: str | None = None
) -> Iterator[WorkerName]:
    """A name such as ``host-1`` that no other process has in the job's folder, while it is entered.

    host: the machine's, by default; machines that share a folder need names that differ.
    given: the name itself, if it is not to be made.
    Raises OSError where the folder cannot be written, NameInUseError for a given one.
    """
    locks = folder / FOLDER
    locks.mkdir(parents=True, exist_ok=True)
    names = [given] if given else _names(locks, host or socket.gethostname())
    for name in names:
        if (descriptor := _locked(locks / name)) is not None:
            break
    else:
        raise NameInUseError(
            f"another process works in {folder} as {given!r}; give this one another name"
        )
    try:
        yield WorkerName(name, locks / name)
    finally:
        os.close(descriptor)


def _names(locks: Path, host: str) -> Iterator[str]:
    """Of the machine: those that were left, then others."""
    host = _NOT_IN_A_NAME.sub("-", host).strip("-_")[:_LONGEST_HOST] or "worker"
    mine = re.compile(rf"{host}-[0-9]+")
    left = sorted(path.name for path in locks.iterdir() if mine.fullmatch(path.name))
    return chain(left, (f"{host}-{number}" for number in count(1)))


def _locked(path: Path) -> int | None:
    """The descriptor that holds the lock; None if another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever had it may have removed it between the two calls.
        if os.stat(path).st_ino == os.fstat(descriptor).st_ino:  # noqa: PTH116 - as its fellow
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(descriptor)
    return None
