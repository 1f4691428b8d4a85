"""``corpus stats DIR``: the documents and rejects of a corpus, counted."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corpus_commons.counts import number_of
from corpus_commons.terminal.console import show
from pipelines.commands.corpus_errors import corpus_errors
from pipelines.reporting.corpus_statistics import as_tables, statistics
from pipelines.reporting.tables import write_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="the corpus")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    with corpus_errors():
        found = statistics(arguments.folder)
    if arguments.json:
        write_json(found.as_data())
        return
    show(as_tables(found))
    for path in found.uncounted:
        sys.stderr.write(f"{path} is in no manifest, so it is not counted\n")
    if found.held:
        waits = number_of(found.held, "page waits for its site", "pages wait for their site")
        sys.stderr.write(f"{waits}: not counted\n")
