"""``corpus verify|stats|merge``: inspect and merge the corpora of crawls."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from corpus_commons.terminal.commands import EXIT_USAGE, UsageError
from corpus_commons.terminal.output import standard_output
from pipelines.corpus.errors import CorpusError, DamagedError
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_DAMAGED, EXIT_SOUND, Verification, verify
from pipelines.reporting.corpus_statistics import as_tables, statistics
from pipelines.reporting.tables import show, write_json

SUMMARY: Final = "Verify, count or merge corpora"
_DESCRIPTION: Final = """\
verify DIR checks the manifests, checksums, lines and ids of a corpus; stats DIR counts its
documents and rejects; merge OUT DIR... combines several corpora into a new one and removes
documents with repeated ids."""
_EXIT_CODES: Final = """exit codes:
  0    done, the corpus is intact
  2    the arguments cannot be used: a folder is not a corpus, or OUT exists or cannot be written
  3    a corpus is damaged
  4    it is intact but has repeated ids
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    parser.add_argument("action", choices=tuple(_ACTIONS), help="what to do")
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="merge: OUT DIR...")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    action, folders = arguments.action, arguments.folders
    if action == "merge" and len(folders) < 2:
        raise UsageError("merge needs an output folder and at least one corpus to read")
    if action != "merge" and len(folders) != 1:
        raise UsageError(f"{action} needs exactly one folder")
    try:
        return _ACTIONS[action](folders, arguments.json)
    except CorpusError as error:
        sys.stderr.write(f"{arguments.prog} {action}: {error}\n")
        return EXIT_DAMAGED if isinstance(error, DamagedError) else EXIT_USAGE


def _verify(paths: list[Path], as_json: bool) -> int:
    found = verify(paths[0])
    if as_json:
        write_json(asdict(found))
    else:
        with standard_output() as out:
            out.writelines(f"{line}\n" for line in (*found.problems, *found.notes))
            out.write(
                f"{_verdict(found)}: {found.documents:,} documents and {found.rejects:,} "
                f"rejects in {found.shards:,} shards, {found.bytes:,} bytes\n"
            )
    return found.exit_code


def _stats(paths: list[Path], as_json: bool) -> int:
    found = statistics(paths[0])
    if as_json:
        write_json(found.as_data())
    else:
        show(as_tables(found))
        for path in found.uncounted:
            sys.stderr.write(f"{path} is not complete, so it is not counted\n")
    return EXIT_SOUND


def _merge(paths: list[Path], as_json: bool) -> int:
    folder, *parts = paths
    merged = merge(parts, folder)
    if as_json:
        write_json(asdict(merged))
    else:
        for note in merged.notes:
            sys.stderr.write(f"{note}\n")
        with standard_output() as out:
            out.write(
                f"{folder}: {merged.documents:,} documents and {merged.rejects:,} rejects; "
                f"{merged.repeats:,} repeats removed\n"
            )
    return EXIT_SOUND


def _verdict(found: Verification) -> str:
    if found.damage:
        return f"damaged in {found.damage:,} places"
    return f"sound, with {found.repeats:,} repeats" if found.repeats else "sound"


_ACTIONS: Final = {"verify": _verify, "stats": _stats, "merge": _merge}
