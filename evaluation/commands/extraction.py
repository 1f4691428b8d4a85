"""``extraction``: run extraction methods on data sets, or read saved results, and compare."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

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
from corpus_commons.terminal.commands import UsageError, usage_errors
from corpus_commons.terminal.output import writing_to
from corpus_commons.terminal.progress import watched
from evaluation.commands import output
from evaluation.known_sites import named, with_and_without
from evaluation.metrics import TEXT_METRICS
from evaluation.pages import Gold, Selection
from evaluation.report import WorstPages, report
from evaluation.results import TIMEOUT, PageKey, Result, SavedResults, writing
from evaluation.runner import Runner
from evaluation.scoring import Scored, score_all
from evaluation.summary import DIMENSIONS, summarise
from evaluation.tables import tables
from extraction.labelled import set_name
from extraction.registry import DEFAULT, names
from extraction.site_memory import CAPACITY

_log = logging.getLogger("evaluation")


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
        help=f"tables by {', '.join(DIMENSIONS)}",
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


def run(arguments: Namespace) -> None:
    _check(arguments)
    selection = Selection(
        arguments.data,
        split=arguments.split,
        limit=arguments.limit,
        share=arguments.share,
        genre=arguments.genre,
        two_genres=arguments.genre_map is not None,
    )
    with usage_errors():
        golds = selection.golds()
    worst = WorstPages(arguments.worst if arguments.html else 0, golds)
    errors: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with ExitStack() as stack:
        if arguments.saved:
            methods, results = _saved(arguments, golds)
        else:
            methods, results = _fresh(arguments, selection, stack)
        if arguments.per_page:
            results = _copied(results, stack.enter_context(writing(arguments.per_page)))
        results = watched(results, len(golds) * len(methods), "results")
        scored = score_all(results, golds, arguments.metric, processes=_scorers(arguments))
        scores = _noted(scored, worst, errors)
        summary = summarise(scores, golds, methods, arguments.metric, arguments.by)
    document = {"run": _facts(arguments), **summary.as_dict()}
    output.publish(arguments, tables(summary), document)
    if arguments.html:
        with writing_to(arguments.html), arguments.html.open("w", encoding="utf-8") as file:
            file.writelines(report(summary, worst, golds, _facts(arguments)))
    for method, reasons in errors.items():
        [(error, times)] = reasons.most_common(1)
        sys.stderr.write(f"{method}: {times} of {reasons.total()} failures: {error}\n")


def _noted(
    scored: Iterable[tuple[Result, Scored]],
    worst: WorstPages,
    errors: Mapping[str, Counter[str]],
) -> Iterator[Scored]:
    """Pass the scores on, keeping the worst pages and the errors; tables only show their number."""
    for result, score in scored:
        worst.add(result, score)
        if result.error is not None and result.failure != TIMEOUT:
            errors[result.method][result.error] += 1
        yield score


def _check(arguments: Namespace) -> None:
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


def _fresh(
    arguments: Namespace, selection: Selection, stack: ExitStack
) -> tuple[tuple[str, ...], Iterator[Result]]:
    """Run the methods. One that cannot be loaded is an error, but skipped if none were named."""
    everything = "all" in arguments.methods
    asked = names() if everything else arguments.methods
    asked = tuple(dict.fromkeys(DEFAULT if method == "default" else method for method in asked))
    memory = arguments.memory and arguments.memory * 2**30
    runner = stack.enter_context(
        Runner(jobs=arguments.jobs, timeout=arguments.timeout, memory_bytes=memory)
    )
    unavailable = runner.unavailable(asked)
    for method, reason in unavailable.items():
        why = f"{reason}{_hint(method, reason)}"
        if not everything:
            raise UsageError(f"the method {method} cannot be loaded: {why}")
        _log.warning("method %s skipped, it cannot be loaded: %s", method, why)
    methods = tuple(method for method in asked if method not in unavailable)
    if not methods:
        raise UsageError("no method can be loaded")
    if arguments.site_memory is None:
        return methods, runner.run(selection.tasks(methods))
    users = runner.users_of_memory(methods)
    if not users:
        raise UsageError(f"--site-memory: none of {', '.join(methods)} uses a site's memory")
    results = with_and_without(runner, selection, methods, users, arguments.site_memory)
    return named(methods, users), results


def _hint(method: str, reason: str) -> str:
    """How to install a missing library of one of our methods."""
    is_missing = reason.startswith(("ImportError", "ModuleNotFoundError")) and ":" not in method
    return " (to install the peers: pip install -r requirements-dev.txt)" if is_missing else ""


def _saved(
    arguments: Namespace, golds: Mapping[PageKey, Gold]
) -> tuple[tuple[str, ...], Iterator[Result]]:
    """Results of earlier runs."""
    with usage_errors():
        saved = SavedResults(arguments.saved)
    methods = arguments.methods
    if "all" in methods:
        order = {method: number for number, method in enumerate(names())}
        methods = tuple(sorted(saved.methods, key=lambda method: order.get(method, len(order))))
    check_names("saved method", methods, saved.methods)
    if not saved.have_any(golds, methods):
        saved_in, data = (" ".join(map(str, paths)) for paths in (arguments.saved, arguments.data))
        raise UsageError(
            f"--from {saved_in}: no result is of a selected page of --data {data}; "
            "the sets' names and the pages' ids must be the same"
        )
    if unknown := saved.unknown(golds):
        _log.warning("%d saved results ignored: their pages were not selected", unknown)
    if missing := saved.missing(golds, methods):
        _log.warning("%d results are missing and count as failures", len(missing))
    return methods, saved.of(golds, methods)


def _copied(results: Iterable[Result], write: Callable[[Result], object]) -> Iterator[Result]:
    for result in results:
        write(result)
        yield result


def _scorers(arguments: Namespace) -> int:
    """The number of scoring processes; few are enough, as extraction takes far longer."""
    jobs: int = arguments.jobs
    return jobs if arguments.saved else max(1, jobs // 4)


def _facts(arguments: Namespace) -> dict[str, Any]:
    """The settings of the run, for its outputs."""
    return {
        "data": [path.name for path in arguments.data],
        "split": arguments.split,
        "limit": arguments.limit,
        "share": arguments.share,
        "genre": arguments.genre,
        "genre_map": arguments.genre_map,
        "timeout": arguments.timeout,
        "jobs": arguments.jobs,
        "site_memory": arguments.site_memory,
        "from": [path.name for path in arguments.saved or ()],
    }
