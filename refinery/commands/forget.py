"""``corpus forget``: removes pages from corpora and data sets, and blocks them in their jobs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import reduce
from pathlib import Path
from typing import Final

from corpus_commons.counts import number_of
from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.output import say
from crawler.items import timestamp
from pipelines.commands.corpus_errors import corpus_errors
from pipelines.commands.named_pages import add_named, named_in
from pipelines.corpus.layout import CORPUS, FORGOTTEN, under_its_name
from pipelines.forgetting.record import Record
from pipelines.forgetting.wanted import Wanted
from pipelines.reporting.tables import write_json
from refinery.dataset.errors import BuildError
from refinery.dataset.layout import is_dataset

_DESCRIPTION: Final = f"""\
Removes pages from all shards, held pages, WARC files, pictures and data sets. They are also put on
the block list of the job whose folder the corpus is in, so that it does not fetch them again. What
was removed is noted in {FORGOTTEN}, by digests. Run the same command again after a kill."""
_EXIT_CODES: Final = """exit codes:
  0    done, also if nothing was found
  1    a data set could not be changed; run it again
  2    the arguments cannot be used, or a worker of a corpus is running
  3    a corpus is damaged
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    parser.add_argument(
        "folders", nargs="+", type=Path, metavar="FOLDER", help="a corpus, or a data set"
    )
    add_named(parser)
    parser.add_argument(
        "--keep-urls", action="store_true", help="note URLs, and not only their digests"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    named = named_in(arguments)
    if not named:
        raise UsageError("give a URL, a host or an id that is to be forgotten")
    wanted = reduce(Wanted.union, named.values())
    at = timestamp(datetime.now(UTC))
    told: dict[str, dict[str, int]] = {}
    for folder in map(under_its_name, arguments.folders):
        record = Record(at, keep_urls=arguments.keep_urls)
        try:
            with corpus_errors():
                was_cut = _forget_in(folder)(folder, wanted, record)
        except BuildError as error:
            raise CommandError(str(error)) from error
        if was_cut:
            sys.stderr.write(f"{folder}: finished what was interrupted\n")
        for note in record.notes:
            sys.stderr.write(f"{note}\n")
        told[str(folder)] = dict(record.counts)
        if not arguments.json:
            _tell(folder, record)
    if arguments.json:
        write_json({"forgotten_at": at, "removed": told})


def _forget_in(folder: Path) -> Callable[[Path, Wanted, Record], bool]:
    """The removal from a corpus or a data set; their libraries take a second to load."""
    from pipelines.forgetting import corpus  # noqa: PLC0415

    if not is_dataset(folder):
        return corpus.forget
    from refinery.dataset import forgetting  # noqa: PLC0415

    return forgetting.forget


# Of what is removed: the words beside a number, by the record's word.
_NAMES: Final = {
    "documents": ("document",),
    "rejects": ("reject",),
    "tombstones": ("tombstone",),
    "held": ("held page",),
    "warc": ("WARC record",),
    "screenshots": ("screenshot",),
    "reports": ("sample of a report", "samples of reports"),
    "data set": ("row of the data set", "rows of the data set"),
    "dropped": ("dropped document",),
}


def _tell(folder: Path, record: Record) -> None:
    removed = ", ".join(number_of(count, *_NAMES[kind]) for kind, count in record.counts.items())
    say(f"{folder}: {removed or 'nothing was found'}")
    if folder.name == CORPUS:
        say(f"{folder.parent}: blocked, and not fetched again")
