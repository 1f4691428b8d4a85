"""Speed and memory of extraction methods, in one process and one thread, relative to trafilatura.

The input is bytes, the output is text. Methods take turns batch by batch, so that other load
affects all of them; times are CPU times. Every method reads each page of a batch by itself. Our own
then read the batch at once, which counts as the same time for each of its pages. Memory and loading
time are measured in a separate process for every method.

A second table tells how often the answer was there when a cache of ours was asked.
"""

from __future__ import annotations

import argparse
import gc
import logging
import multiprocessing
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache
from itertools import islice
from statistics import fmean, median, quantiles
from typing import NamedTuple

from benchmarks import sample
from benchmarks.report import Cell, Report
from corpus_commons.process_tree import own_peak
from corpus_commons.terminal.arguments import names_of, positive
from corpus_commons.terminal.commands import UsageError
from evaluation.worker import make_extractor
from extraction import ExtractionError, Page, names
from extraction.labelled import LabelledPage
from extraction.methods.base import DomExtractor

SUMMARY = "measure pages per second, time per page, memory and loading time of extraction methods"

PEER = "trafilatura"
_ONE_THREAD = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")

# Packages whose caches are shown.
_OURS = ("corpus_commons.", "extraction.", "genre_model.")
_CACHE = type(lru_cache(len))

_extractor = cache(make_extractor)


class Cost(NamedTuple):
    """Of a method in a separate process: seconds to load, peak memory in MB."""

    load_seconds: float
    loaded_mb: float
    peak_mb: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)
    parser.add_argument(
        "--methods",
        type=names_of,
        default=",".join(names()),
        help="names, or MODULE:FUNCTION that makes one, separated by commas (default: %(default)s)",
    )
    parser.add_argument(
        "--batch", type=positive, default=32, help="pages at a time (default: %(default)s)"
    )
    parser.add_argument(
        "--rounds", type=positive, default=1, help="the fastest one counts (default: 1)"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    logging.disable(logging.CRITICAL)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    methods = list(dict.fromkeys((*arguments.methods, PEER)))
    pages = sample.sample(arguments)
    _load(methods)
    costs = {method: _cost(method, pages) for method in methods}
    timings = {method: _Timings(method) for method in methods}
    for timing in timings.values():
        timing.read(pages[:1], rounds=1)
    for timing in timings.values():
        timing.forget()
    shown = sample.shown(pages)
    while batch := [*islice(shown, arguments.batch)]:
        for timing in timings.values():
            timing.read(batch, arguments.rounds)
    columns = {
        f"{arguments.data.name}, {len(pages)} pages": "",
        "pages/s": ".0f",
        "times trafilatura": ".2f",
        "median ms": ".1f",
        "p95 ms": ".1f",
        "failures": "d",
        "load s": ".1f",
        "loaded MB": ".0f",
        "peak MB": ".0f",
    }
    peer = fmean(timings[PEER].alone)
    rows = [
        row
        for name, timing in timings.items()
        for row in timing.rows(peer, arguments.batch, costs[name])
    ]
    report.table("speed", columns, rows)
    report.table("caches", {"cache": "", "found": ".1%", "kept": ",d", "at most": ",d"}, _caches())
    return 0


def _load(methods: Sequence[str]) -> None:
    """Raises UsageError for one that cannot be loaded."""
    for method in methods:
        try:
            _extractor(method)
        except (ValueError, ImportError, AttributeError) as error:
            raise UsageError(f"the method {method} cannot be loaded: {error}") from error


def _caches() -> list[list[Cell]]:
    """The bounded caches of this process that were asked, those of one function together: in how
    many cases the answer was there, and how many answers are kept, of at most how many.
    """
    asked: defaultdict[str, list[tuple[int, int, int, int]]] = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, _CACHE) and one.__module__.startswith(_OURS):
            hits, misses, most, kept = one.cache_info()
            if most is not None and hits + misses:
                asked[f"{one.__module__}.{one.__qualname__}"].append((hits, misses, kept, most))
    rows: list[list[Cell]] = []
    for name, counts in sorted(asked.items()):
        hits, misses, kept, most = map(sum, zip(*counts, strict=True))
        rows.append([name, hits / (hits + misses), kept, most])
    return rows


class _Timings:
    """The CPU seconds that a method takes for each page.

    alone: read by itself. together: its share of its batch.
    """

    def __init__(self, method: str) -> None:
        self._method = method
        self.forget()

    def forget(self) -> None:
        self.alone: list[float] = []
        self.together: list[float] = []
        self._failures = 0

    def read(self, batch: Sequence[LabelledPage], rounds: int) -> None:
        """The fastest of the rounds counts."""
        pages = [
            Page(page.html.encode("utf-8", "replace"), page.url, charset="utf-8") for page in batch
        ]
        for page in pages:
            self.alone.append(min(self._seconds([page]) for _ in range(rounds)))
            self._failures += isinstance(self._found[0], ExtractionError)
        if isinstance(_extractor(self._method), DomExtractor):
            taken = min(self._seconds(pages) for _ in range(rounds))
            self.together += [taken / len(pages)] * len(pages)

    def _seconds(self, pages: Sequence[Page]) -> float:
        begin = time.process_time()
        self._found = _extractor(self._method).extract_many(pages)
        return time.process_time() - begin

    def rows(self, peer: float, batch: int, cost: Cost) -> Iterator[list[Cell]]:
        """peer: the mean seconds of the peer. batch: the pages of one."""
        yield [self._method, *_statistics(self.alone, peer), self._failures, *cost]
        if self.together:
            name = f"{self._method}, {batch} pages at a time"
            yield [name, *_statistics(self.together, peer), None, None, None, None]


def _statistics(seconds: Sequence[float], peer: float) -> list[float]:
    milliseconds = [taken * 1000 for taken in seconds]
    p95 = quantiles(milliseconds, n=20)[-1] if len(milliseconds) > 1 else milliseconds[0]
    mean = fmean(seconds)
    return [1 / mean, peer / mean, median(milliseconds), p95]


def _cost(method: str, pages: Sequence[LabelledPage]) -> Cost:
    # The largest pages determine peak memory, so the others need not be sent.
    largest = sorted(pages, key=lambda page: len(page.html))[-20:]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        return pool.submit(_cost_here, method, largest).result()


def _cost_here(method: str, pages: Sequence[LabelledPage]) -> Cost:
    logging.disable(logging.CRITICAL)
    begin = time.perf_counter()
    _extractor(method)
    load_seconds = time.perf_counter() - begin
    loaded_mb = own_peak()
    for page in pages:
        _extractor(method).extract_many([Page(page.html, page.url)])
    return Cost(load_seconds, loaded_mb, own_peak())
