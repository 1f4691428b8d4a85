"""What page workers take: memory, and time to start, by their number."""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from itertools import repeat
from multiprocessing import get_context

from benchmarks import sample
from benchmarks.report import Cell, Report
from corpus_commons.process_tree import cpu_seconds, descendants, memory
from corpus_commons.terminal.arguments import positive
from crawler.html import Html
from extraction.labelled import LabelledPage
from pipelines.reading.page_reader import PageTask
from pipelines.reading.worker_pool import WorkerPool

SUMMARY = "measure the memory of page workers that have read pages, and how fast they start"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)
    parser.add_argument(
        "--workers", type=positive, nargs="+", default=[1, 2, 6], help="(%(default)s)"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    pages = sample.sample(arguments)
    columns = {
        "workers": "d",
        "seconds to start": ".2f",
        "CPU seconds to start": ".2f",
        "MB together": ",.0f",
    }
    # Pools of one process share what the first has loaded.
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), max_tasks_per_child=1) as fresh:
        rows = [*fresh.map(_measured, arguments.workers, repeat(pages))]
    report.say(f"{len(pages)} pages are read; memory is PSS of all processes but the crawler's\n")
    report.table("workers", columns, rows)
    return 0


def _measured(count: int, pages: Sequence[LabelledPage]) -> tuple[Cell, ...]:
    return asyncio.run(_measure(count, pages))


async def _measure(count: int, pages: Sequence[LabelledPage]) -> tuple[Cell, ...]:
    began, before = time.monotonic(), cpu_seconds(_others())
    now = datetime.now(UTC)
    async with WorkerPool(size=count) as pool:
        seconds, used = time.monotonic() - began, cpu_seconds(_others()) - before
        tasks = (PageTask(Html(page.html), f"http://{page.id}.example/", now) for page in pages)
        await asyncio.gather(*map(pool.read, tasks))
        return count, seconds, used, memory(_others()) / 1e6


def _others() -> list[int]:
    return [process for process in descendants(os.getpid()) if process != os.getpid()]
