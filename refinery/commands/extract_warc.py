"""``corpus extract-warc``: the main content of the pages in WARC files, as a corpus."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpus_commons.counts import number_of
from corpus_commons.terminal.command_error import EXIT_FAILED
from corpus_commons.terminal.commands import (
    EXIT_FINE,
    EXIT_INCOMPLETE,
    UsageError,
)
from corpus_commons.terminal.output import say
from refinery.commands import places
from refinery.dataset.layout import is_dataset

if TYPE_CHECKING:
    from refinery.extraction import Choices, Extracted

_DESCRIPTION: Final = """\
IN is a WARC or WET file, compressed or not, a folder of them, or a pattern; local, or an address
that fsspec knows, such as s3://BUCKET/*.warc.gz. Run it again to go on: archives that are complete
in CORPUS are skipped, unless they have another size than when they were read."""
_EXIT_CODES: Final = """exit codes:
  0    done; or submitted to Slurm
  1    archives could not be read, the others are in the corpus; run it again to try once more
  2    the arguments or the job file cannot be used, or CORPUS was begun with other choices
  3    done, but archives are cut off, damaged or have no page; standard error names them, and what
       could be read of them is in the corpus
"""
_MOST_REASONS: Final = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    parser.add_argument("inputs", nargs="*", metavar="IN", help="archives")
    parser.add_argument("--list", type=Path, metavar="FILE", help="a file of addresses, one a line")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="CORPUS", help="the folder, new or begun"
    )
    parser.add_argument(
        "--job",
        type=Path,
        metavar="JOB",
        help="take genres, extraction, filters and consent from this job",
    )
    parser.add_argument(
        "--site-memory",
        action="store_true",
        help="read all archives twice, and each page with what its site's other pages share",
    )
    places.add_arguments(parser, slurm=True)


def run(arguments: argparse.Namespace) -> int:
    """Raises UsageError."""
    from pipelines.corpus.errors import CorpusError  # noqa: PLC0415 - as below, takes a second
    from refinery.extraction import extract  # noqa: PLC0415
    from refinery.warc.addresses import archives  # noqa: PLC0415

    if is_dataset(arguments.out):
        raise UsageError(f"--out {arguments.out} is a data set; give a new folder, or a corpus")
    try:
        sizes = archives(_inputs(arguments))
        extracted = extract(
            sizes,
            arguments.out,
            _choices(arguments.job, site_memory=arguments.site_memory),
            places.place_of(arguments),
        )
    except (ValueError, CorpusError) as error:
        raise UsageError(str(error)) from error
    return _tell(arguments, len(sizes), extracted)


def _inputs(arguments: argparse.Namespace) -> list[str]:
    """Raises UsageError."""
    given: list[str] = list(arguments.inputs)
    if arguments.list:
        try:
            given += arguments.list.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--list {arguments.list} cannot be read: {error}") from error
    given = [one.strip() for one in given if one.strip()]
    if not given:
        raise UsageError("give at least one archive, or --list FILE")
    return given


def _choices(job: Path | None, *, site_memory: bool) -> Choices:
    """Raises ValueError for a job file with problems, and names them."""
    from refinery.extraction import Choices  # noqa: PLC0415
    from settings.loading import load_job  # noqa: PLC0415
    from settings.tables.extraction import Extraction  # noqa: PLC0415

    if job is None:
        return Choices(extraction=Extraction(site_memory=site_memory))
    loaded = load_job(job)
    if site_memory and not loaded.extraction.site_memory:
        raise ValueError(f"--site-memory: {job} has site_memory = false")
    return Choices(
        genres=loaded.genres,
        extraction=loaded.extraction,
        filters=loaded.filters,
        consent=loaded.consent,
    )


def _tell(arguments: argparse.Namespace, archives: int, extracted: Extracted) -> int:
    outcome = extracted.outcome
    if outcome.is_submitted:
        are_submitted = number_of(outcome.tasks, "archive is", "archives are")
        say(
            f"{are_submitted} submitted to Slurm; run this again when all have ended, which "
            "submits those that failed"
        )
        return EXIT_FINE
    for failure in dict.fromkeys(outcome.failures):
        sys.stderr.write(f"{arguments.prog}: {failure}\n")
    missing = outcome.tasks - outcome.done
    say(
        f"{arguments.out}: {archives - missing:,} of {number_of(archives, 'archive')}, "
        f"{number_of(extracted.documents, 'document')} and {number_of(extracted.rejects, 'reject')}"
        f"{_passed_over(extracted.passed_over)}"
    )
    for address, problem in extracted.problems.items():
        sys.stderr.write(f"{arguments.prog}: {address}: {problem}\n")
    if extracted.problems:
        are_faulty = number_of(len(extracted.problems), "archive is", "archives are")
        sys.stderr.write(
            f"{are_faulty} cut off, damaged or without pages; what is whole is in the corpus; "
            "an archive is read again when it has another size\n"
        )
    if missing:
        are_missing = number_of(missing, "archive is", "archives are")
        sys.stderr.write(f"{are_missing} missing; run it again to try once more\n")
        return EXIT_FAILED
    return EXIT_INCOMPLETE if extracted.problems else EXIT_FINE


def _passed_over(counts: Counter[str]) -> str:
    """What is said of them, if there are any.

    >>> _passed_over(Counter({"http-404": 3, "not-html": 1}))
    '; 4 responses are no pages: http-404 3, not-html 1'
    """
    named = ", ".join(f"{why} {count:,}" for why, count in counts.most_common(_MOST_REASONS))
    no_pages = number_of(counts.total(), "response is no page", "responses are no pages")
    return f"; {no_pages}: {named}" if named else ""
