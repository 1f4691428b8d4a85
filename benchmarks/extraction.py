"""Speed and memory of extraction methods, in one process and one thread, relative to trafilatura.

The input is bytes, the output is text. Methods take turns page by page, so that other load affects
all of them; times are CPU times. Memory and loading time are measured in a separate process for
every method.
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from statistics import fmean, median, quantiles
from typing import NamedTuple

from benchmarks import sample
from benchmarks.process_tree import own_peak
from benchmarks.report import Cell, Report
from evaluation.worker import make_extractor
from extraction import ExtractionError, names
from extraction.training.labelled import LabelledPage

SUMMARY = "measure pages per second, time per page, memory and loading time of extraction methods"

PEER = "trafilatura"
_ONE_THREAD = ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS")

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
        default=",".join(names()),
        help="names, or MODULE:FUNCTION that makes one, separated by commas (default: %(default)s)",
    )
    parser.add_argument("--rounds", type=int, default=1, help="the fastest one counts (default: 1)")


def run(arguments: argparse.Namespace, report: Report) -> int:
    logging.disable(logging.CRITICAL)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    methods = list(dict.fromkeys((*arguments.methods.split(","), PEER)))
    pages = sample.sample(arguments)
    costs = {method: _cost(method, pages) for method in methods}
    seconds: dict[str, list[float]] = {method: [] for method in methods}
    failures = dict.fromkeys(methods, 0)
    for method in methods:
        _extract(method, pages[0])
    for page in sample.shown(pages):
        for method in methods:
            rounds = [_extract(method, page) for _ in range(arguments.rounds)]
            seconds[method].append(min(abs(taken) for taken in rounds))
            failures[method] += rounds[0] < 0
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
    peer = fmean(seconds[PEER])
    rows = [_row(name, seconds[name], peer, failures[name], costs[name]) for name in methods]
    report.table("speed", columns, rows)
    return 0


def _extract(method: str, page: LabelledPage) -> float:
    """The seconds taken; negative if the method failed."""
    html = page.html.encode("utf-8", "replace")
    begin = time.process_time()
    try:
        _extractor(method).extract(html, url=page.url, charset="utf-8")
    except ExtractionError:
        return begin - time.process_time()
    return time.process_time() - begin


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
        _extract(method, page)
    return Cost(load_seconds, loaded_mb, own_peak())


def _row(name: str, seconds: list[float], peer: float, failures: int, cost: Cost) -> list[Cell]:
    milliseconds = [taken * 1000 for taken in seconds]
    p95 = quantiles(milliseconds, n=20)[-1] if len(milliseconds) > 1 else milliseconds[0]
    mean = fmean(seconds)
    return [name, 1 / mean, peer / mean, median(milliseconds), p95, failures, *cost]
