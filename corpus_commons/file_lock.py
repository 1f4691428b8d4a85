"""Locks on files, which the kernel releases however their process ends.

They are its locks of open files (``F_OFD_SETLK``). Unlike ``flock``, nobody has to take one to
learn whether it is held. Unlike ``lockf``, they exclude holders in the same process, and last when
somebody there opens and closes the file.
"""

from __future__ import annotations

import fcntl
import os
import struct
from io import FileIO
from pathlib import Path
from typing import Final, Self

# The kernel's struct flock: kind, base, start, length, process.
_FLOCK: Final = struct.Struct("hhqqi4x")
_WHOLE_FILE: Final = _FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
# The open files of all locks of this process.
_held: set[FileIO] = set()


class LockedError(Exception):
    """Somebody else holds the lock."""


class FileLock:
    """Held until it is released, or its process ends; forked children do not have it.

    The file is made if need be, and its content left alone. A holder may remove it.
    wait: until the lock is free.
    Raises LockedError if it is not, and OSError.
    """

    def __init__(self, path: Path, *, wait: bool = False) -> None:
        self._file = _locked(path, fcntl.F_OFD_SETLKW if wait else fcntl.F_OFD_SETLK)
        _held.add(self._file)

    def release(self) -> None:
        _held.discard(self._file)
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def is_held(path: Path) -> bool:
    """Whether anybody holds the lock, in this process or another. Raises OSError.

    Nobody who wants it is disturbed by the question.
    """
    try:
        with FileIO(path) as file:
            answer = fcntl.fcntl(file, fcntl.F_OFD_GETLK, _WHOLE_FILE)
    except FileNotFoundError:
        return False
    kind, *_ = _FLOCK.unpack(answer)
    return bool(kind != fcntl.F_UNLCK)


def _locked(path: Path, command: int) -> FileIO:
    while True:
        file = FileIO(path, "a")
        try:
            fcntl.fcntl(file, command, _WHOLE_FILE)
            # Its last holder may have removed the file since it was opened.
            if _is_at(path, file):
                return file
        except BlockingIOError:
            file.close()
            raise LockedError(f"{path} is locked") from None
        except BaseException:
            file.close()
            raise
        file.close()


def _is_at(path: Path, file: FileIO) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


def _let_go() -> None:
    """In a forked child: else, the lock would last as long as the child."""
    for file in _held:
        file.close()
    _held.clear()


os.register_at_fork(after_in_child=_let_go)
