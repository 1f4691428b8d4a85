"""The CPU time of a crawl's page while the crawl is paused, so that it does nothing else."""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import Request, urlopen

from benchmarks.crawl.site import Site, serving
from benchmarks.free_port import free_port
from benchmarks.live.crawl import job_file
from benchmarks.live.viewers import Viewers
from benchmarks.report import Report
from corpus_commons.process_tree import cpu_seconds, descendants
from extraction.labelled import LabelledPage

_RETRY_SECONDS: Final = 0.1
# Seconds until it is idle, seconds of a measurement, documents that it shows.
_SETTLED: Final = 10.0
_MEASURED: Final = 10.0
_ENOUGH: Final = 30


def paused(pages: Sequence[LabelledPage], arguments: argparse.Namespace, report: Report) -> int:
    """CPU time per second of the crawl's processes, without and with viewers, in turns."""
    spent: dict[int, list[float]] = {0: [], 1: [], arguments.viewers: []}
    received = dict.fromkeys(spent, 0.0)
    with TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        with serving(folder, pages, arguments.limit) as site, _running(folder, site) as (port, pid):
            for _ in range(arguments.rounds):
                for viewers, found in spent.items():
                    watching = Viewers(port, viewers)
                    watching.start()
                    time.sleep(_SETTLED)
                    before, began = cpu_seconds(descendants(pid)), time.monotonic()
                    had = watching.received
                    time.sleep(_MEASURED)
                    took = time.monotonic() - began
                    found.append((cpu_seconds(descendants(pid)) - before) / took)
                    received[viewers] = (watching.received - had) / took
                    watching.end()
    medians = {viewers: statistics.median(found) for viewers, found in spent.items()}
    columns = {
        "viewers": "",
        "CPU ms per second": ".1f",
        "more than without": ".1f",
        "kB/s received": ",.0f",
    }
    rows = [
        (str(viewers), 1000 * cpu, 1000 * (cpu - medians[0]), received[viewers] / 1000)
        for viewers, cpu in medians.items()
    ]
    report.table("paused", columns, rows)
    return 0


@contextmanager
def _running(folder: Path, site: Site) -> Iterator[tuple[int, int]]:
    """A crawl that has some documents and is paused: the port of its page, and its process."""
    port = free_port()
    job = job_file(folder, site, f"port = {port}")
    command = [sys.executable, "-m", "crawler", "run", str(job)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    base = f"http://127.0.0.1:{port}"
    try:
        while _documents(base) < _ENOUGH:
            time.sleep(_RETRY_SECONDS)
        headers = {"Origin": base}
        pause = Request(f"{base}/actions/pause", b"{}", headers, method="POST")  # noqa: S310
        urlopen(pause).close()  # noqa: S310 - our own server
        time.sleep(_SETTLED)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def _documents(base: str) -> int:
    try:
        with urlopen(f"{base}/metrics") as answer:  # noqa: S310 - our own server
            found = re.search(rb'result="document".* (\d+)', answer.read())
    except OSError:
        return 0
    return int(found[1]) if found else 0
