"""``corpus diff A B``: the pages that are new, changed or gone between two corpora."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

import orjson

from corpus_commons.terminal.output import standard_output
from pipelines.commands.corpus_errors import corpus_errors
from pipelines.versions.comparison import changes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", type=Path, metavar="A", help="the earlier corpus")
    parser.add_argument("new", type=Path, metavar="B", help="the later corpus")
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each page")


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    counts = Counter[str]()
    with corpus_errors(), standard_output() as out:
        for change in changes(arguments.old, arguments.new):
            counts[change.kind] += 1
            line = orjson.dumps(change._asdict()).decode() if arguments.json else str(change)
            out.write(f"{line}\n")
        if not arguments.json:
            told = (f"{counts[kind]:,} {kind}" for kind in ("added", "changed", "gone"))
            out.write(f"{', '.join(told)}\n")
