"""What the live page costs a crawl: without it, with it, and with viewers.

The same crawl of a site on localhost takes turns. The viewers are connections of this process that
read all that they are sent, on the same cores. CPU time is that of the crawl's own processes.

On a machine with other work, the differences drown in it. So ``--paused`` measures the page's
own CPU time, in a crawl that is paused once it has documents, and so does nothing else.
"""

from __future__ import annotations

import argparse
import re
import selectors
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from urllib.request import Request, urlopen

from benchmarks.crawl.benchmark import JOB, Run, measured
from benchmarks.crawl.site import Site, serving
from benchmarks.redis_process import free_port
from benchmarks.report import Cell, Report
from corpus_commons.process_tree import cpu_seconds, descendants
from extraction.training.labelled import LabelledPage, read_pages

SUMMARY = "measure what the live page costs a crawl, alone and with viewers"

_OFF: Final = "no live page"
_ON: Final = "live page"
_CONCURRENCY: Final = 16
_RETRY_SECONDS: Final = 0.1
# Of a paused crawl: seconds until it is idle, seconds of a measurement, documents that it shows.
_SETTLED: Final = 10.0
_MEASURED: Final = 10.0
_ENOUGH: Final = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of pages")
    parser.add_argument("--limit", type=int, default=2000, help="pages (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="(default: %(default)s)")
    parser.add_argument("--viewers", type=int, default=50, help="(default: %(default)s)")
    parser.add_argument(
        "--paused", action="store_true", help="only the CPU time of the page of a paused crawl"
    )
    parser.add_argument("--folder", type=Path, help="for all files (default: a temporary one)")


def run(arguments: argparse.Namespace, report: Report) -> int:
    pages = list(read_pages(arguments.data))[: arguments.limit]
    if arguments.paused:
        return _paused(pages, arguments, report)
    kinds = {_OFF: None, _ON: 0, f"{_ON}, {arguments.viewers} viewers": arguments.viewers}
    found: dict[str, list[Run]] = {name: [] for name in kinds}
    received = 0
    with TemporaryDirectory(dir=arguments.folder) as name:
        folder = Path(name)
        with serving(folder, pages, arguments.limit) as site:
            for number in range(arguments.rounds):
                # Each is the first as often, because the machine may become warmer, or busier.
                order = [*kinds][number % len(kinds) :] + [*kinds][: number % len(kinds)]
                for kind in order:
                    own = folder / f"{number}-{kind.replace(' ', '-')}"
                    own.mkdir()
                    made, size = _crawl(own, site, kinds[kind])
                    found[kind].append(made)
                    received += size
                    sys.stderr.write(f"{kind}, round {number + 1}: {made.rate:.1f} pages/s\n")
    columns = {
        "crawl": "",
        "pages/s: median": ".1f",
        "all rounds": ">",
        "CPU ms per page: median": ".2f",
        "pages/s, to none": "+.1%",
        "CPU, to none": "+.1%",
    }
    report.table("live", columns, [_row(kind, runs, found[_OFF]) for kind, runs in found.items()])
    seconds = sum(run.took for runs in found.values() for run in runs) / len(found)
    report.say(f"the viewers received {received / seconds / 1000:,.0f} kB/s")
    return 0


def _paused(pages: Sequence[LabelledPage], arguments: argparse.Namespace, report: Report) -> int:
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
    job, port = folder / "job.toml", free_port()
    text = JOB.format(
        base=site.base, concurrency=_CONCURRENCY, duplicates="keep", folder=folder / "out"
    )
    job.write_text(f"{text}[live]\nport = {port}\n", encoding="utf-8")
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


def _row(kind: str, runs: Sequence[Run], without: Sequence[Run]) -> tuple[Cell, ...]:
    """The differences are medians of those in the same round."""
    pairs = [*zip(runs, without, strict=True)]
    return (
        kind,
        statistics.median(run.rate for run in runs),
        ", ".join(f"{run.rate:.1f}" for run in runs),
        statistics.median(_cpu(run) for run in runs),
        statistics.median(run.rate / none.rate - 1 for run, none in pairs),
        statistics.median(_cpu(run) / _cpu(none) - 1 for run, none in pairs),
    )


def _cpu(run: Run) -> float:
    """Milliseconds per page."""
    return run.processor / run.pages * 1000


def _crawl(own: Path, site: Site, viewers: int | None) -> tuple[Run, int]:
    """A crawl, and how many bytes its viewers received. viewers: None for no live page."""
    job, port = own / "job.toml", free_port()
    table = "enabled = false" if viewers is None else f"port = {port}"
    text = JOB.format(
        base=site.base, concurrency=_CONCURRENCY, duplicates="keep", folder=own / "out"
    )
    job.write_text(f"{text}[live]\n{table}\n", encoding="utf-8")
    watching = Viewers(port, viewers or 0)
    watching.start()
    try:
        return measured([sys.executable, "-m", "crawler", "run", str(job)], site), watching.received
    finally:
        watching.end()


class Viewers(threading.Thread):
    """Connections that read the events of a live page. received: bytes, of all."""

    def __init__(self, port: int, count: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self._count = count
        self._is_over = threading.Event()
        self.received = 0

    def run(self) -> None:
        with selectors.DefaultSelector() as selector:
            while not self._is_over.is_set():
                if len(selector.get_map()) < self._count:
                    self._connect(selector)
                for key, _ in selector.select(_RETRY_SECONDS) if selector.get_map() else ():
                    self._read(selector, key.fileobj)
                if not selector.get_map():
                    time.sleep(_RETRY_SECONDS)

    def end(self) -> None:
        self._is_over.set()
        self.join()

    def _connect(self, selector: selectors.BaseSelector) -> None:
        try:
            viewer = socket.create_connection(("127.0.0.1", self._port), timeout=10)
        except OSError:  # It has not begun, or it has ended.
            return
        request = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n"
        viewer.sendall(request.encode())
        viewer.setblocking(False)
        selector.register(viewer, selectors.EVENT_READ)

    def _read(self, selector: selectors.BaseSelector, viewer: object) -> None:
        if not isinstance(viewer, socket.socket):
            return
        try:
            content = viewer.recv(1 << 20)
        except OSError:
            content = b""
        self.received += len(content)
        if not content:
            selector.unregister(viewer)
            viewer.close()
