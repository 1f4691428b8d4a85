"""The command line: finds the subcommand, and turns what happens into an exit code."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from importlib import import_module

from genre_model.commands import COMMANDS
from genre_model.commands.command import (
    EXIT_CODES,
    EXIT_FINE,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    Command,
    UsageError,
)
from terminal.progress import LOGGER


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default the process's own) and return its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    parser = argparse.ArgumentParser(
        prog="python -m genre_model",
        description="What kind of page is it? Read from the screenshot, the HTML, or both.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    chosen: Command | None = None
    for name, entry in COMMANDS.items():
        subparser = subparsers.add_parser(
            name,
            help=entry.summary,
            description=entry.summary,
            epilog=EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if words[:1] == [name]:
            chosen = import_module(entry.module)
            chosen.add_arguments(subparser)
    arguments = parser.parse_args(words)
    assert chosen is not None  # noqa: S101 - for mypy: argparse has refused every other word
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    for name in ("genre_model", LOGGER):
        logging.getLogger(name).setLevel(logging.INFO)
    try:
        return chosen.run(arguments) or EXIT_FINE
    except UsageError as error:
        sys.stderr.write(f"{parser.prog} {arguments.command}: {error}\n")
        return EXIT_USAGE
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return EXIT_INTERRUPTED
