"""``predict``: classifies the pages of a folder, and writes one line of JSON per page."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from corpus_commons.counts import number_of
from corpus_commons.terminal.commands import EXIT_FINE, EXIT_INCOMPLETE, UsageError
from corpus_commons.terminal.output import standard_output, writing_to
from corpus_commons.terminal.progress import watched
from genre_model.commands import classifier_options
from genre_model.page_classifiers import all_ids, answers


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--screenshots", type=Path, help="a folder of ID.jpg, ID.jpeg or ID.png, or one such file"
    )
    parser.add_argument(
        "--html",
        type=Path,
        help="a folder of ID.html or ID.html.gz, one such file, or a .jsonl or .jsonl.zst of "
        '{"id", "html"}',
    )
    parser.add_argument(
        "--jsonl",
        type=Path,
        required=True,
        help="the file for the predictions; - for standard output",
    )
    classifier_options.add_arguments(parser)


def run(arguments: Namespace) -> int:
    """Write a line per page, sorted by id; returns 3 if a file could not be read."""
    classifiers, fusion, threshold = classifier_options.open_classifiers(
        arguments, arguments.screenshots, arguments.html
    )
    ids = all_ids(classifiers)
    if not ids:
        places = filter(None, (arguments.screenshots, arguments.html))
        raise UsageError(
            f"no pages in {' or '.join(map(str, places))}; files in folders must be named by id: "
            "ID.jpg, ID.html"
        )
    failed = troubled = 0
    with _writing(arguments.jsonl) as out:
        found = answers(classifiers, ids, threshold=threshold, fusion=fusion)
        for answer in watched(found, len(ids), "pages"):
            failed += answer.prediction is None
            troubled += bool(answer.problems)
            out.write(answer.to_line())
    if not troubled:
        return EXIT_FINE
    sys.stderr.write(
        f"{troubled} of {number_of(len(ids), 'page')} with a file that could not be read; "
        f"{failed} of them have no prediction\n"
    )
    return EXIT_INCOMPLETE


@contextmanager
def _writing(path: Path) -> Iterator[IO[bytes]]:
    if str(path) == "-":
        with standard_output() as out:
            yield out.buffer
        return
    try:
        file = path.open("wb")
    except OSError as error:
        raise UsageError(str(error)) from error
    with writing_to(path), file:
        yield file
