"""Command lines with subcommands: finds the one, and turns what happens into an exit code."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, NamedTuple, Protocol

from terminal.progress import LOGGER

EXIT_FINE: Final = 0
EXIT_USAGE: Final = 2
EXIT_INCOMPLETE: Final = 3
EXIT_INTERRUPTED: Final = 130


class UsageError(Exception):
    """The arguments, or the files they name, cannot be used; the message says why."""


class Command(Protocol):
    """A module that an ``Entry`` names."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""

    def run(self, arguments: Namespace) -> int | None:
        """Do the work; the exit code, where None is 0. Raises UsageError."""


class Entry(NamedTuple):
    """Where a subcommand is, and one line for ``--help``."""

    module: str
    summary: str


def main(
    package: str,
    commands: Mapping[str, Entry],
    *,
    description: str,
    epilog: str,
    argv: Sequence[str] | None = None,
) -> int:
    """Run the command line ``argv`` (by default the process's own) and return its exit code.

    package: it is run by ``python -m``, and its logger's lines are shown.
    commands: by name; a module is imported when its subcommand is chosen.
    epilog: of every ``--help``: what the exit codes mean.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    parser = ArgumentParser(
        prog=f"python -m {package}",
        description=description,
        epilog=epilog,
        formatter_class=RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chosen: Command | None = None
    for name, entry in commands.items():
        subparser = subparsers.add_parser(
            name,
            help=entry.summary,
            description=entry.summary,
            epilog=epilog,
            formatter_class=RawDescriptionHelpFormatter,
        )
        if words[:1] == [name]:
            chosen = import_module(entry.module)
            chosen.add_arguments(subparser)
    arguments = parser.parse_args(words)
    assert chosen is not None  # noqa: S101 - for mypy: argparse has refused every other word
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    for name in (package, LOGGER):
        logging.getLogger(name).setLevel(logging.INFO)
    try:
        return chosen.run(arguments) or EXIT_FINE
    except UsageError as error:
        sys.stderr.write(f"{parser.prog} {arguments.command}: {error}\n")
        return EXIT_USAGE
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return EXIT_INTERRUPTED
