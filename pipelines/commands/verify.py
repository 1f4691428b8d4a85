"""``corpus verify DIR``: whether a corpus is as it was written."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

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
        gone = f", {found.tombstones:,} tombstones" if found.tombstones else ""
        say(
            *found.problems,
            *found.notes,
            f"{_verdict(found)}: {found.documents:,} documents and {found.rejects:,} "
            f"rejects{gone} in {found.shards:,} shards, {found.bytes:,} bytes",
        )
    return found.exit_code


def _verdict(found: Verification) -> str:
    if found.damage:
        return f"damaged in {found.damage:,} places"
    return f"sound, with {found.repeats:,} repeats" if found.repeats else "sound"
