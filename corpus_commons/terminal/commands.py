"""Command lines with subcommands: dispatches to a subcommand, and returns an exit code."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final, NamedTuple, Protocol

from corpus_commons.terminal.progress import LOGGER

EXIT_FINE: Final = 0
EXIT_USAGE: Final = 2
EXIT_INCOMPLETE: Final = 3
EXIT_INTERRUPTED: Final = 130


class UsageError(Exception):
    """The arguments, or the files that they name, are unusable; the message says why."""


class Command(Protocol):
    """The interface of a subcommand's module."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""

    def run(self, arguments: Namespace) -> int | None:
        """Run the command; returns the exit code, None for 0. Raises UsageError."""


class Entry(NamedTuple):
    """The module of a subcommand, and its line in ``--help``."""

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

    package: the package that is run by ``python -m``; its log is shown.
    commands: by name; only the module of the chosen subcommand is imported.
    epilog: of every ``--help``, for the exit codes.
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
    assert chosen is not None  # noqa: S101 - for mypy: argparse has refused any other word
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
