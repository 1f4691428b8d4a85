"""The command line: finds the subcommand, and turns what happens into an exit code."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence

from evaluation.commands import COMMANDS
from evaluation.commands.command import UsageError
from terminal.progress import LOGGER

EXIT_FINE = 0
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

_EPILOG = """exit codes:
  0    done; pages on which a method failed are counted in its output
  1    an error of the program, with a traceback
  2    the arguments, a data file or a method they name cannot be used
  130  interrupted by Ctrl-C; what had been written is kept
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default the process's own) and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluation",
        description="Tables that compare methods on labelled pages.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        command.add_arguments(
            subparsers.add_parser(
                name,
                help=command.SUMMARY,
                description=command.SUMMARY,
                epilog=_EPILOG,
                formatter_class=argparse.RawDescriptionHelpFormatter,
            )
        )
    arguments = parser.parse_args(argv)
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    for name in ("evaluation", LOGGER):
        logging.getLogger(name).setLevel(logging.INFO)
    try:
        COMMANDS[arguments.command].run(arguments)
    except UsageError as error:
        print(f"{parser.prog} {arguments.command}: {error}", file=sys.stderr)
        return EXIT_USAGE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_FINE
