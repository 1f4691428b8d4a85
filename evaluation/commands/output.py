"""What the subcommands that compare methods share: their errors, tables and JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import orjson

from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.console import OutputConsole
from corpus_commons.terminal.output import write_output
from evaluation.tables import Table, show


@contextmanager
def unusable_data() -> Iterator[None]:
    """Report the errors of reading data as those of the arguments that name it."""
    try:
        yield
    except (ValueError, OSError) as error:
        raise UsageError(str(error)) from error


def add_arguments(parser: ArgumentParser | Any) -> None:
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    parser.add_argument("--json", type=output_file, metavar="OUT", help="write the tables as JSON")


def publish(arguments: Namespace, tables: list[Table], document: Mapping[str, Any]) -> None:
    """Print the tables, then write the document if ``--json`` asks for it. Raises OSError."""
    show(tables, arguments.format, OutputConsole())
    if arguments.json:
        write_output(arguments.json, orjson.dumps(document, option=orjson.OPT_INDENT_2))
