"""Standard output that may be a closed pipe or a full disk, and files on such a disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from corpus_commons.terminal.command_error import CommandError


class OutputError(CommandError):
    """Standard output cannot be written; the message names it and says why."""


@contextmanager
def standard_output() -> Iterator[TextIO]:
    """Standard output, flushed at the end of the block.

    If its reader has gone, as with ``| head``, the rest of the block is skipped and the program
    continues after it. Raises OutputError for any other write error. In both cases the buffer is
    discarded, so that the interpreter does not fail to flush it at exit. An OSError that names a
    file is one of the block's own.
    """
    # Python sets this if the process was started without standard output.
    if sys.stdout is None:
        with Path(os.devnull).open("w") as nowhere:
            yield nowhere
        return
    try:
        yield sys.stdout
        sys.stdout.flush()
    except OSError as error:
        _lead_nowhere(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return
        if error.strerror is None or error.filename is not None:
            raise
        raise OutputError(f"standard output: {error.strerror}") from error


def say(*lines: str) -> None:
    """Print lines on standard output. Raises OutputError."""
    with standard_output() as out:
        out.writelines(f"{line}\n" for line in lines)


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """An OSError of the block names the file; that of a full disk does not by itself."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def write_output(path: Path, content: bytes) -> None:
    """Write a file. Raises OSError that names it."""
    with writing_to(path):
        path.write_bytes(content)


def _lead_nowhere(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
