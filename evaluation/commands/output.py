"""What the subcommands that compare methods share: their tables and JSON."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

import orjson

from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.console import OutputConsole
from corpus_commons.terminal.output import write_output
from evaluation.tables import Table, show


def add_arguments(parser: ArgumentParser | Any) -> None:
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    parser.add_argument("--json", type=output_file, metavar="OUT", help="write the tables as JSON")


def publish(arguments: Namespace, tables: list[Table], document: Mapping[str, Any]) -> None:
    """Print the tables, then write the document if ``--json`` asks for it. Raises OSError."""
    show(tables, arguments.format, OutputConsole())
    if arguments.json:
        write_output(arguments.json, orjson.dumps(document, option=orjson.OPT_INDENT_2))
