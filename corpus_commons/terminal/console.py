"""Rich's console on standard output."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from corpus_commons.terminal.output import standard_output


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
