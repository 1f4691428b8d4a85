"""Command lines with subcommands: dispatches to a subcommand, and returns an exit code."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, NamedTuple, Protocol

from corpus_commons.extras import DISTRIBUTION, explanation_of, installed_version
from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.interruption import interrupted
from corpus_commons.terminal.output import standard_output
from corpus_commons.terminal.progress import LOGGER

# Those of a crawl are in ``crawler.exit_codes``.
EXIT_FINE: Final = 0
EXIT_USAGE: Final = 2
EXIT_INCOMPLETE: Final = 3
"""Done, but for what the output names."""
EXIT_UNUSABLE: Final = 3
"""What the command works on is damaged, or is not there."""


class UsageError(CommandError):
    """The arguments, or the files that they name, are unusable; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message, EXIT_USAGE)


@contextmanager
def usage_errors() -> Iterator[None]:
    """Errors of reading what the arguments name, within the block, become a UsageError."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error


class Command(Protocol):
    """The interface of a subcommand's module.

    The module of further subcommands has ``GROUP`` instead, a Group, if its package is slow to
    import.
    """

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""

    def run(self, arguments: Namespace) -> int | None:
        """Run the command; returns the exit code, None for 0. Raises CommandError."""


class Entry(NamedTuple):
    """The module of a subcommand, and its line in ``--help``.

    extra: of the package, with the libraries that the command needs; by default the group's.
    """

    module: str
    summary: str
    extra: str = ""


class Group(NamedTuple):
    """Subcommands under one name.

    commands: by name; only the module of the chosen one is imported.
    epilog: of every ``--help``, for the exit codes.
    logger: the package whose log is shown; none by default.
    extra: that of its commands that name none themselves.
    """

    commands: Mapping[str, Entry | Group]
    summary: str
    epilog: str = ""
    logger: str = ""
    extra: str = ""


def main(prog: str, group: Group, argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (by default the process's own) and return its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    arguments = Namespace(prog=prog)
    try:
        arguments = parser_of(prog, group, words).parse_args(words)
        if arguments.logger:
            _show_log(arguments.logger)
        command: Command = arguments.command
        return command.run(arguments) or EXIT_FINE
    except CommandError as error:
        return tell(error, arguments.prog)
    except OSError as error:
        if not error.strerror:  # not the system's, but one of the program
            raise
        return tell(CommandError(_said(error)), arguments.prog)
    except ModuleNotFoundError as error:
        explanation = explanation_of(error, _extra_of(group, words))
        if explanation is None:
            raise
        sys.stderr.write(f"{prog}: {explanation}\n")
        return EXIT_USAGE
    except KeyboardInterrupt:
        return interrupted()


def tell(error: CommandError, prog: str) -> int:
    """Say on standard error why the command ends, and return its exit code."""
    # Several mistakes in a file begin with their places, one a line.
    why = _reason(error)
    prefix = "" if "\n" in why else f"{prog}: "
    sys.stderr.write(f"{prefix}{why}\n")
    return error.exit_code


def _reason(error: CommandError) -> str:
    """The message; an error of the system without its number."""
    cause = error.__cause__
    if isinstance(cause, OSError) and str(cause) == str(error):
        return _said(cause)
    return str(error)


def _said(error: OSError) -> str:
    if error.strerror is None:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def _extra_of(entry: Entry | Group, words: Sequence[str]) -> str:
    """The extra of the command that the words name."""
    named = entry.commands.get(words[0]) if isinstance(entry, Group) and words else None
    return (named and _extra_of(named, words[1:])) or entry.extra


def _show_log(package: str) -> None:
    logging.basicConfig(format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    for name in (package, LOGGER):
        logging.getLogger(name).setLevel(logging.INFO)


class _Parser(ArgumentParser):
    """Names what it does not know itself, below its own usage, instead of leaving it to the parser
    of the whole command line. Options are not abbreviated: ``--html`` is no ``--html-model``.
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings, allow_abbrev=False)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        if args == [] and self._subparsers is not None:
            # Whoever names a group alone wants to know what is in it.
            self.print_help(sys.stderr)
            self.exit(EXIT_USAGE)
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def _print_message(self, message: str, file: Any = None) -> None:
        """Raises OutputError; argparse would pass over it, and leave it to the end of Python."""
        if file is not sys.stdout:
            super()._print_message(message, file)
            return
        with standard_output() as out:
            out.write(message)


def parser_of(prog: str, group: Group, words: Sequence[str] | None = None) -> ArgumentParser:
    """The parser of a command line.

    words: as of ``declare``.
    """
    parser = _Parser(
        prog=prog, description=group.summary, formatter_class=RawDescriptionHelpFormatter
    )
    release = installed_version() or "(not installed)"
    parser.add_argument("--version", action="version", version=f"{DISTRIBUTION} {release}")
    declare(parser, group, words)
    return parser


def add_actions(
    parser: ArgumentParser, summaries: Mapping[str, str], dest: str = "action"
) -> dict[str, ArgumentParser]:
    """Parsers of subcommands by name; ``dest`` of the arguments will be the chosen one's.

    They show the same epilog as ``parser``, so set that before; ``prog`` will be the whole command.
    """
    subparsers = parser.add_subparsers(dest=dest, required=True, metavar="COMMAND")
    made: dict[str, ArgumentParser] = {}
    for name, summary in summaries.items():
        made[name] = action = subparsers.add_parser(
            name,
            help=summary[0].lower() + summary[1:].rstrip("."),
            description=summary,
            epilog=parser.epilog,
            formatter_class=parser.formatter_class,
        )
        action.set_defaults(prog=action.prog)
    return made


def declare(parser: ArgumentParser, entry: Entry | Group, words: Sequence[str] | None) -> None:
    """Declare the options of a command, or the commands of a group. ``command`` of the arguments
    will be the module of the chosen one, ``logger`` its group's.

    words: only the options of the command that these name are declared, because declaring them
        imports its module; None for those of all commands whose libraries are installed.
    """
    if isinstance(entry, Group):
        parser.epilog = entry.epilog
        summaries = {name: one.summary for name, one in entry.commands.items()}
        for name, action in add_actions(parser, summaries, "word").items():
            if words is None or words[:1] == [name]:
                action.set_defaults(logger=entry.logger)
                declare(action, entry.commands[name], words and words[1:])
    elif words is not None or _is_installed(entry):
        command: Any = import_module(entry.module)
        if hasattr(command, "GROUP"):
            declare(parser, command.GROUP, words)
            return
        command.add_arguments(parser)
        parser.set_defaults(command=command)


def _is_installed(entry: Entry) -> bool:
    try:
        import_module(entry.module)
    except ModuleNotFoundError as error:
        if explanation_of(error) is None:
            raise
        return False
    return True
