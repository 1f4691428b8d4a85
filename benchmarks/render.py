"""Pages drawn per second: ours beside a plain scrapy-playwright spider, in one run.

Both are Scrapy spiders in processes of their own that draw the same pages of the demo site and take
the same screenshots of the top 3,840 px. The peer has scrapy-playwright's default settings and the
browser of ``--peer-browser``, for which Debian's full ``chromium`` is what a user would install.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from benchmarks.markdown import table
from benchmarks.render_spiders import HEIGHT, SPIDERS
from crawler.demo import demo_site
from crawler.rendering.browser import system_browser

SUMMARY = "draw pages beside a plain scrapy-playwright spider"

_PATHS = (
    *("/", "/about", "/articles/", "/articles/fog-signals", "/articles/how-tides-work"),
    *("/shop/", "/forum/", "/docs/", "/gallery", "/zh/"),
)


class Memory:
    """The largest memory of a process and all that it started, in bytes (PSS), while it runs."""

    def __init__(self, process: int) -> None:
        self._root = process
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self.largest = 0
        self._thread.start()

    def end(self) -> int:
        self._ended.set()
        self._thread.join()
        return self.largest

    def _watch(self) -> None:
        while not self._ended.wait(0.5):
            self.largest = max(self.largest, sum(map(_bytes_of, _descendants(self._root))))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pages", type=int, default=20, help="of a round, by default %(default)s")
    parser.add_argument("--rounds", type=int, default=1, help="by default %(default)s")
    parser.add_argument("--concurrency", type=int, default=4, help="by default %(default)s")
    parser.add_argument(
        "--peer-browser",
        default=system_browser(),
        metavar="PATH",
        help="of the peer; by default %(default)s",
    )


def run(arguments: argparse.Namespace) -> int:
    measured: dict[str, list[dict[str, float]]] = {name: [] for name in SPIDERS}
    with demo_site() as site:
        paths = [_PATHS[number % len(_PATHS)] for number in range(arguments.pages)]
        urls = [f"{site.base}{path}?n={number}" for number, path in enumerate(paths)]
        for _ in range(arguments.rounds):
            for name, found in measured.items():
                found.append(_spider(name, urls, arguments))
    peer = statistics.median(figures["rate"] for figures in measured["scrapy-playwright"])
    rows = [_row(name, found, peer) for name, found in measured.items()]
    columns = ("spider", "pages", "pages/s", "beside the peer", "kB a screenshot", "MB at most")
    sys.stdout.write(f"{arguments.concurrency} pages at once, top {HEIGHT:,} px\n\n")
    sys.stdout.write(table(columns, rows) + "\n")
    return 0


def _row(name: str, found: list[dict[str, float]], peer: float) -> tuple[str, ...]:
    def middle(key: str) -> float:
        return statistics.median(figures[key] for figures in found)

    return (
        *(name, f"{middle('pages'):.0f}", f"{middle('rate'):.2f}"),
        *(f"{middle('rate') / peer:.2f}", f"{middle('screenshot') / 1000:.0f}"),
        f"{middle('memory') / 1e6:,.0f}",
    )


def _spider(name: str, urls: list[str], arguments: argparse.Namespace) -> dict[str, float]:
    """What one spider did; its first answer starts the clock, so that no start is timed."""
    task = {
        "spider": name,
        "urls": urls,
        "concurrency": arguments.concurrency,
        "browser": arguments.peer_browser,
    }
    command = [sys.executable, "-m", "benchmarks.render_spiders", json.dumps(task)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
    memory = Memory(process.pid)
    times, sizes = [], []
    for line in process.stdout or ():
        sizes.append(json.loads(line)["screenshot"])
        times.append(time.perf_counter())
    code = process.wait()
    largest = memory.end()
    if code or len(times) < 2:
        raise SystemExit(f"{name} ended with exit code {code} after {len(times)} pages")
    return {
        "pages": len(times),
        "rate": (len(times) - 1) / (times[-1] - times[0]),
        "screenshot": statistics.fmean(sizes),
        "memory": largest,
    }


def _descendants(root: int) -> list[int]:
    """The process and all below it, from one look at the parents of all."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        status = _read(folder / "stat").rpartition(")")[2].split()
        if status:
            children.setdefault(int(status[1]), []).append(int(folder.name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found


def _bytes_of(process: int) -> int:
    lines: Any = _read(Path(f"/proc/{process}/smaps_rollup")).splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # It has ended meanwhile.
        return ""
