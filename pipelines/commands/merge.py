"""``corpus merge OUT DIR...``: one corpus of several, without repeats."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

from corpus_commons.counts import number_of
from corpus_commons.terminal.output import say
from pipelines.commands.corpus_errors import corpus_errors
from pipelines.corpus.merge import merge
from pipelines.reporting.tables import write_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("out", type=Path, metavar="OUT", help="the new corpus's folder")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a corpus")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace, *, is_current: bool = False) -> None:
    """Raises CommandError. is_current: take the latest version of each page only."""
    with corpus_errors():
        merged = merge(arguments.folders, arguments.out, is_current=is_current)
    if arguments.json:
        write_json(asdict(merged))
        return
    for note in merged.notes:
        sys.stderr.write(f"{note}\n")
    gone = f", {number_of(merged.tombstones, 'tombstone')}" if merged.tombstones else ""
    rejects = "" if is_current else f" and {number_of(merged.rejects, 'reject')}"
    removed = number_of(merged.repeats, "earlier or repeated line" if is_current else "repeat")
    say(
        f"{arguments.out}: {number_of(merged.documents, 'document')}{rejects}{gone}; "
        f"{removed} removed"
    )
