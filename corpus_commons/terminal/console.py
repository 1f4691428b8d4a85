"""Rich's console on standard output."""

from __future__ import annotations

from typing import Final

from rich.console import Console, RenderableType

from corpus_commons.terminal.output import standard_output

# Wide enough for any row: a URL has at most 4,096 characters, a reason 500.
_WIDEST: Final = 10_000


class OutputConsole(Console):
    """A console on standard output, to be used within ``standard_output``.

    Rich's own console exits the process if the reader has gone.
    """

    def on_broken_pipe(self) -> None:
        """Raises BrokenPipeError, which ``standard_output`` handles."""
        raise BrokenPipeError


def show(*parts: RenderableType) -> None:
    """Print as wide as the terminal; if there is none, print each row as one line."""
    with standard_output() as out:
        console = OutputConsole()
        if console.is_terminal:
            for part in parts:
                console.print(part)
            return
        wide = OutputConsole(width=_WIDEST, no_color=True)
        with wide.capture() as capture:
            for part in parts:
                wide.print(part)
        out.writelines(f"{line.rstrip()}\n" for line in capture.get().splitlines())
