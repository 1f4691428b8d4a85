"""``scrapy corpus verify|stats|merge``: inspect and merge the corpora of crawls.

Exit codes: 0 success, the corpus is intact; 2 unusable arguments: a folder is not a corpus, or OUT
exists or cannot be written; 3 a corpus is damaged; 4 it is intact but has repeated ids.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Final

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from corpus_commons.terminal.commands import EXIT_USAGE
from corpus_commons.terminal.output import standard_output
from pipelines.corpus.errors import CorpusError, DamagedError
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_DAMAGED, EXIT_SOUND, Verification, verify
from pipelines.reporting.corpus_statistics import as_tables, statistics
from pipelines.reporting.tables import show, write_json

_ACTIONS: Final = ("verify", "stats", "merge")


class Command(ScrapyCommand):
    """Works on corpus folders; needs no job file."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] verify DIR | stats DIR | merge OUT DIR..."

    def short_desc(self) -> str:
        return "Verify, count or merge corpora"

    def long_desc(self) -> str:
        return (
            "verify checks the manifests, checksums, lines and ids of a corpus; stats counts its "
            "documents and rejects; merge combines several corpora into a new one and removes "
            "documents with repeated ids."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="print JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for invalid arguments."""
        action, *folders = args or [""]
        if action not in _ACTIONS:
            raise UsageError(f"the first argument must be one of {', '.join(_ACTIONS)}")
        if action == "merge" and len(folders) < 2:
            raise UsageError("merge needs an output folder and at least one corpus to read")
        if action != "merge" and len(folders) != 1:
            raise UsageError(f"{action} needs exactly one folder")
        paths = [Path(folder) for folder in folders]
        try:
            self.exitcode = getattr(self, f"_{action}")(paths, opts.json)
        except CorpusError as error:
            sys.stderr.write(f"scrapy corpus {action}: {error}\n")
            self.exitcode = EXIT_DAMAGED if isinstance(error, DamagedError) else EXIT_USAGE

    def _verify(self, paths: list[Path], as_json: bool) -> int:
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

    def _stats(self, paths: list[Path], as_json: bool) -> int:
        found = statistics(paths[0])
        if as_json:
            write_json(found.as_data())
        else:
            show(as_tables(found))
            for path in found.uncounted:
                sys.stderr.write(f"{path} is not complete, so it is not counted\n")
        return EXIT_SOUND

    def _merge(self, paths: list[Path], as_json: bool) -> int:
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
