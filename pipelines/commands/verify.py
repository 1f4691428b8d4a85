"""``corpus verify DIR``: whether a corpus is as it was written."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from corpus_commons.counts import number_of
from corpus_commons.terminal.output import say
from pipelines.commands.corpus_errors import corpus_errors
from pipelines.corpus.verification import Verification, verify
from pipelines.reporting.tables import write_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="the corpus")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Raises CommandError."""
    with corpus_errors():
        found = verify(arguments.folder)
    if arguments.json:
        write_json(asdict(found))
    else:
        gone = f", {number_of(found.tombstones, 'tombstone')}" if found.tombstones else ""
        say(
            *found.problems,
            *found.notes,
            f"{_verdict(found)}: {number_of(found.documents, 'document')} and "
            f"{number_of(found.rejects, 'reject')}{gone} in {number_of(found.shards, 'shard')}, "
            f"{number_of(found.bytes, 'byte')}",
        )
    return found.exit_code


def _verdict(found: Verification) -> str:
    if found.damage:
        return f"damaged in {number_of(found.damage, 'place')}"
    return f"sound, with {number_of(found.repeats, 'repeat')}" if found.repeats else "sound"
