"""The pages of a benchmark, and the work on each of them in turn."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from corpus_commons.terminal.arguments import positive
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.progress import watched
from extraction.labelled import LabelledPage, read_pages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of labelled pages")
    parser.add_argument("--limit", type=positive, help="only this many pages, evenly spaced")


def sample(arguments: argparse.Namespace) -> list[LabelledPage]:
    """The pages of ``--data``, or ``--limit`` of them, evenly spaced. Raises UsageError."""
    pages = list(read_pages(arguments.data))
    if not pages:
        raise UsageError(f"{arguments.data}: no pages")
    return evenly(pages, arguments.limit or len(pages))


def evenly(pages: Sequence[LabelledPage], limit: int) -> list[LabelledPage]:
    """At most so many of the pages, evenly spaced."""
    count = min(limit, len(pages))
    return [pages[number * len(pages) // count] for number in range(count)]


def shown(pages: list[LabelledPage]) -> Iterator[LabelledPage]:
    """The pages, with progress on standard error."""
    return iter(watched(pages, len(pages), "pages", Console(stderr=True)))


def cpu_seconds(work: Callable[[], object]) -> float:
    """The CPU time of some work, on which other load has little influence."""
    begin = time.process_time()
    work()
    return time.process_time() - begin
