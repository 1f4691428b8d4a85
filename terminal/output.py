"""Standard output: its reader may leave before the end, and its disk may be full."""

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
    """Standard output, which is flushed at the end of the block.

    Where its reader has gone, as ``head`` goes when it has enough, the rest of the block is left
    out, and the program goes on behind it. Raises OSError where it cannot be written. Either way
    nothing is left in its buffer over which the interpreter would stumble at its end.
    """
    # Python's word for a process that was started without one.
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

    Rich's own ends the process where the reader has gone.
    """

    def on_broken_pipe(self) -> None:
        """Raises BrokenPipeError, which ``standard_output`` understands."""
        raise BrokenPipeError


@contextmanager
def output_console(width: int) -> Iterator[Console]:
    """A console on standard output; where that is no terminal, of this width."""
    with standard_output():
        console = OutputConsole()
        yield console if console.is_terminal else OutputConsole(width=width)


def _lead_nowhere(stream: TextIO) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
