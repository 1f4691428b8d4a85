"""``extraction``: run extraction methods on data sets, or read saved results, and compare."""

from __future__ import annotations

import logging
import sys
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from typing import Any

from corpus_commons.terminal.arguments import check_names
from corpus_commons.terminal.commands import UsageError, usage_errors
from corpus_commons.terminal.output import writing_to
from corpus_commons.terminal.progress import watched
from evaluation.commands import output
from evaluation.commands.extraction_options import add_arguments, check
from evaluation.known_sites import named, with_and_without
from evaluation.pages import Gold, Selection
from evaluation.report import WorstPages, report
from evaluation.results import TIMEOUT, PageKey, Result, SavedResults, writing
from evaluation.runner import Runner
from evaluation.scoring import Scored, score_all
from evaluation.summary import summarise
from evaluation.tables import tables
from extraction.registry import DEFAULT, names

__all__ = ["add_arguments", "run"]

_log = logging.getLogger("evaluation")


def run(arguments: Namespace) -> None:
    check(arguments)
    selection = Selection(
        arguments.data,
        split=arguments.split,
        limit=arguments.limit,
        share=arguments.share,
        genre=arguments.genre,
        two_genres=arguments.genre_map is not None,
        finds_gold="gold" in arguments.by,
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
