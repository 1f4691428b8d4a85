"""What a subcommand is, how it says that it was called wrongly, and its exit codes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import NamedTuple, Protocol

EXIT_FINE = 0
EXIT_USAGE = 2
EXIT_INCOMPLETE = 3
EXIT_INTERRUPTED = 130

EXIT_CODES = """exit codes:
  0    done
  1    an error of the program, with a traceback
  2    the arguments, or the files they name, cannot be used
  3    done, but some pages could not be read; the output says which
  130  interrupted by Ctrl-C; what had been written is kept
"""


class UsageError(Exception):
    """The arguments, or the files they name, cannot be used; the message says why."""


class Command(Protocol):
    """A module that a line of ``COMMANDS`` names."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""

    def run(self, arguments: Namespace) -> int | None:
        """Do the work; the exit code, where None is 0. Raises UsageError."""


class Entry(NamedTuple):
    """Where a subcommand is, and one line for ``--help``."""

    module: str
    summary: str
