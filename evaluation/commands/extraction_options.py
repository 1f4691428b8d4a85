"""The options of ``extraction``, and the checks that argparse cannot make."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from corpus_commons.kinds import GENRES, PAGE_TYPES
from corpus_commons.terminal.arguments import (
    check_names,
    names_of,
    output_file,
    positive,
    seconds,
    share,
    whole,
)
from corpus_commons.terminal.commands import UsageError
from evaluation.commands import output
from evaluation.metrics import TEXT_METRICS
from evaluation.summary import DIMENSIONS
from extraction.labelled import set_name
from extraction.registry import names
from extraction.site_memory import CAPACITY


def add_arguments(parser: ArgumentParser) -> None:
    _add_pages(parser)
    _add_running(parser)
    _add_output(parser)


def _add_pages(parser: ArgumentParser) -> None:
    """Which pages, and what the methods are told of them."""
    pages = parser.add_argument_group("pages")
    pages.add_argument(
        "--data",
        type=Path,
        nargs="+",
        action="extend",
        required=True,
        metavar="FILE",
        help="data sets: .jsonl or .jsonl.zst files, or folders, also with the layout of a public "
        "data set",
    )
    pages.add_argument(
        "--split", metavar="S", help="only pages of this split; KEY=VALUE refers to a key of meta"
    )
    pages.add_argument(
        "--limit", type=positive, metavar="N", help="only the first N pages of each set"
    )
    pages.add_argument(
        "--share",
        type=share,
        metavar="P",
        help="only this share of the pages, from 0 to 1; the same pages in every run",
    )
    pages.add_argument(
        "--genre",
        choices=list(dict.fromkeys(("none", "oracle", *GENRES, *PAGE_TYPES))),
        default="none",
        metavar="none|oracle|NAME",
        help="the genre passed to the methods: none; oracle, which is the page's gold genre as one "
        "of the GOCE paper's two; or a genre or page type for all pages (default: %(default)s)",
    )
    pages.add_argument(
        "--genre-map", choices=["goce"], help="report genres as the GOCE paper's two"
    )


def _add_running(parser: ArgumentParser) -> None:
    """Which methods, run how; or their saved results."""
    runs = parser.add_argument_group("running")
    runs.add_argument(
        "--methods",
        type=names_of,
        default=("all",),
        metavar="A,B,…|all",
        help="names of methods, or MODULE:FUNCTION that makes one (default: all)",
    )
    runs.add_argument(
        "--jobs",
        type=positive,
        default=1,
        metavar="N",
        help="worker processes; use fewer than cores if times matter (default: %(default)s)",
    )
    runs.add_argument(
        "--timeout",
        type=seconds,
        default=30.0,
        metavar="S",
        help="seconds after which a method is killed on a page (default: %(default)s)",
    )
    runs.add_argument(
        "--memory",
        type=positive,
        metavar="GIB",
        help="limit of a worker's address space, in GiB; TensorFlow reserves more than it uses",
    )
    runs.add_argument(
        "--from",
        type=Path,
        nargs="+",
        action="extend",
        dest="saved",
        metavar="FILE",
        help="use results saved with --per-page instead of running methods; if there are several "
        "for a page and method, the last one counts",
    )
    runs.add_argument(
        "--site-memory",
        type=positive,
        nargs="?",
        const=CAPACITY,
        metavar="N",
        help="run methods that can use it a second time, with the memory of at most N other pages "
        "of the page's site in the set (default: %(const)s)",
    )


def _add_output(parser: ArgumentParser) -> None:
    """What is measured, and where it is told."""
    outputs = parser.add_argument_group("output")
    outputs.add_argument(
        "--metric",
        type=names_of,
        default=("words",),
        metavar="A,B,…",
        help=f"metrics, the main one first: {', '.join(TEXT_METRICS)} (default: words)",
    )
    outputs.add_argument(
        "--by",
        type=names_of,
        default=(),
        metavar="A,B,…",
        help=f"tables by {', '.join(DIMENSIONS)} (how much of it the page has)",
    )
    output.add_arguments(outputs)
    outputs.add_argument(
        "--html", type=output_file, metavar="OUT", help="write a report with the worst pages"
    )
    outputs.add_argument(
        "--worst",
        type=whole,
        default=20,
        metavar="N",
        help="pages per method in the report (default: %(default)s)",
    )
    outputs.add_argument(
        "--per-page",
        type=output_file,
        metavar="OUT",
        help="write one line of JSON per result; compressed if the name ends in .zst",
    )


def check(arguments: Namespace) -> None:
    """Check what argparse cannot, before the long work begins."""
    check_names("metric", arguments.metric, TEXT_METRICS)
    check_names("dimension", arguments.by, DIMENSIONS)
    if not arguments.saved:
        asked = [method for method in arguments.methods if ":" not in method]
        check_names("extraction method", asked, ("all", "default", *names()))
    if arguments.saved and arguments.site_memory is not None:
        raise UsageError("--site-memory is for running methods, not for results that were saved")
    sets = [set_name(path) for path in arguments.data]
    if len(set(sets)) < len(sets):
        raise UsageError(f"two data sets have the same name: {', '.join(sets)}")
    for path in arguments.saved or ():
        if not path.is_file():
            raise UsageError(f"{path}: no such file")
    taken = {path.resolve() for path in (*arguments.data, *(arguments.saved or ()))}
    for path in filter(None, (arguments.json, arguments.html, arguments.per_page)):
        if path.resolve() in taken:
            raise UsageError(f"{path} is also an input, or the output of another option")
        taken.add(path.resolve())
