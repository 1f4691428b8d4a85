"""``corpus verify|stats|merge|current|diff``; and what other modules add to that."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Final

import orjson

from corpus_commons.terminal.commands import EXIT_USAGE, Command, Entry, add_actions
from corpus_commons.terminal.console import show
from corpus_commons.terminal.output import standard_output
from pipelines.corpus.errors import CorpusError, DamagedError
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_DAMAGED, EXIT_SOUND, Verification, verify
from pipelines.reporting.corpus_statistics import as_tables, statistics
from pipelines.reporting.tables import write_json
from pipelines.versions.comparison import changes

SUMMARY: Final = "Verify, count, merge or make corpora"
_ACTIONS: Final = {
    "verify": "Check the manifests, checksums, lines and ids of a corpus",
    "stats": "Count the documents and rejects of a corpus",
    "merge": "Combine corpora into a new one, without repeats",
    "diff": "List the pages that are new, changed or gone between two corpora",
    "current": "Combine corpora into a new one, with the latest version of each page only",
}
# Of modules of their own, some of rooms above. They load their libraries when they are run.
_ELSEWHERE: Final = {
    "consent": Entry(
        "pipelines.commands.consent", "List the documents that owners do not allow, or no longer"
    ),
    "extract-warc": Entry("refinery.commands.extract_warc", "Extract the pages of WARC archives"),
    "build": Entry("refinery.commands.build", "Make a data set of corpora, by a recipe"),
    "annotate": Entry("annotate.command", "Label pages of a corpus in the browser"),
    "forget": Entry("refinery.commands.forget", "Remove pages from corpora and data sets for good"),
}
_EXIT_CODES: Final = """exit codes:
  0    done, the corpus is intact
  2    the arguments cannot be used: a folder is not a corpus, or OUT exists or cannot be written
  3    a corpus is damaged
  4    it is intact but has repeated ids
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EXIT_CODES
    summaries = {name: entry.summary for name, entry in _ELSEWHERE.items()}
    for name, action in add_actions(parser, _ACTIONS | summaries).items():
        if name in _ELSEWHERE:
            command: Command = import_module(_ELSEWHERE[name].module)
            command.add_arguments(action)
            action.set_defaults(act=command.run)
            continue
        if name == "merge":
            action.add_argument("out", type=Path, metavar="OUT", help="the new corpus's folder")
            action.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a corpus")
            action.set_defaults(act=_merge)
        elif name == "diff":
            action.add_argument("old", type=Path, metavar="A", help="the earlier corpus")
            action.add_argument("new", type=Path, metavar="B", help="the later corpus")
            action.set_defaults(act=_diff)
        elif name == "current":
            action.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a corpus")
            action.add_argument("--out", type=Path, required=True, help="the new corpus's folder")
            action.set_defaults(act=_merge)
        else:
            action.add_argument("folder", type=Path, metavar="DIR", help="the corpus")
            action.set_defaults(act=_verify if name == "verify" else _stats)
        how = "print JSON" if name != "diff" else "print a line of JSON for each page"
        action.add_argument("--json", action="store_true", help=how)


def run(arguments: argparse.Namespace) -> int:
    act: Callable[[argparse.Namespace], int | None] = arguments.act
    try:
        return act(arguments) or EXIT_SOUND
    except CorpusError as error:
        sys.stderr.write(f"{arguments.prog}: {error}\n")
        return EXIT_DAMAGED if isinstance(error, DamagedError) else EXIT_USAGE


def _verify(arguments: argparse.Namespace) -> int:
    found = verify(arguments.folder)
    if arguments.json:
        write_json(asdict(found))
    else:
        with standard_output() as out:
            out.writelines(f"{line}\n" for line in (*found.problems, *found.notes))
            gone = f", {found.tombstones:,} tombstones" if found.tombstones else ""
            out.write(
                f"{_verdict(found)}: {found.documents:,} documents and {found.rejects:,} "
                f"rejects{gone} in {found.shards:,} shards, {found.bytes:,} bytes\n"
            )
    return found.exit_code


def _stats(arguments: argparse.Namespace) -> int:
    found = statistics(arguments.folder)
    if arguments.json:
        write_json(found.as_data())
    else:
        show(as_tables(found))
        for path in found.uncounted:
            sys.stderr.write(f"{path} is not complete, so it is not counted\n")
        if found.held:
            sys.stderr.write(f"{found.held:,} pages wait for more of their site: not counted\n")
    return EXIT_SOUND


def _merge(arguments: argparse.Namespace) -> int:
    merged = merge(arguments.folders, arguments.out, is_current=arguments.action == "current")
    if arguments.json:
        write_json(asdict(merged))
    else:
        for note in merged.notes:
            sys.stderr.write(f"{note}\n")
        with standard_output() as out:
            gone = f", {merged.tombstones:,} tombstones" if merged.tombstones else ""
            out.write(
                f"{arguments.out}: {merged.documents:,} documents and {merged.rejects:,} rejects"
                f"{gone}; {merged.repeats:,} repeats removed\n"
            )
    return EXIT_SOUND


def _diff(arguments: argparse.Namespace) -> int:
    counts = Counter[str]()
    with standard_output() as out:
        for change in changes(arguments.old, arguments.new):
            counts[change.kind] += 1
            line = orjson.dumps(change._asdict()).decode() if arguments.json else str(change)
            out.write(f"{line}\n")
        if not arguments.json:
            told = (f"{counts[kind]:,} {kind}" for kind in ("added", "changed", "gone"))
            out.write(f"{', '.join(told)}\n")
    return EXIT_SOUND


def _verdict(found: Verification) -> str:
    if found.damage:
        return f"damaged in {found.damage:,} places"
    return f"sound, with {found.repeats:,} repeats" if found.repeats else "sound"
