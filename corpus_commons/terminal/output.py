"""Standard output that may be a closed pipe or a full disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from rich.console import Console


@contextmanager
def standard_output() -> Iterator[TextIO]:
    """Standard output, flushed at the end of the block.

    If its reader has gone, as with ``| head``, the rest of the block is skipped and the program
    continues after it. Raises OSError for any other write error. In both cases the buffer is
    discarded, so that the interpreter does not fail to flush it at exit.
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
        if not isinstance(error, BrokenPipeError):
            raise


class OutputConsole(Console):
    """A console on standard output, to be used within ``standard_output``.

    Rich's own console exits the process if the reader has gone.
    """

    def on_broken_pipe(self) -> None:
        """Raises BrokenPipeError, which ``standard_output`` handles."""
        raise BrokenPipeError


@contextmanager
def output_console(width: int) -> Iterator[Console]:
    """A console on standard output; of this width if that is not a terminal."""
    with standard_output():
        console = OutputConsole()
        yield console if console.is_terminal else OutputConsole(width=width)


def _lead_nowhere(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
