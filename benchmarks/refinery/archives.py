"""``extract-warc`` beside datatrove's own reader and extractor, on the same WARC files.

The pages are written to WARC files as a crawl writes them, one for each process. Methods take
turns; each process is measured from its first page on, when its models are loaded. Ours also names
genre, page type, title, author, date and language, which the other does not.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks import sample
from benchmarks.report import Cell, Report
from corpus_commons.process_tree import cpu_seconds, descendants
from corpus_commons.process_tree import memory as memory_of
from corpus_commons.terminal.arguments import positive
from crawler.items import Page
from crawler.lease import Lease
from evaluation.metrics.words import words
from extraction import extract
from extraction.labelled import LabelledPage
from pipelines.corpus.layout import Layout
from pipelines.corpus.warc import WarcSeries

SUMMARY = "measure pages per second of extract-warc, beside datatrove with Trafilatura"

_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
_PAGES_BETWEEN_LOOKS = 20
_OURS, _PEER = "extract-warc", "datatrove, Trafilatura"


class Part(NamedTuple):
    """What a process did, with its own processes.

    seconds: from its first page on. cpu: seconds a page. memory: the most, in bytes.
    texts: by URL.
    """

    seconds: float
    cpu: float
    memory: int
    texts: dict[str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)
    parser.add_argument("--processes", type=positive, default=1, help="of each (default: 1)")
    parser.add_argument(
        "--rounds", type=positive, default=2, help="the fastest counts (default: 2)"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    pages = {f"http://p{number}.example/": page for number, page in enumerate(_pages(arguments))}
    with TemporaryDirectory() as folder:
        files = _archives(pages, Path(folder), arguments.processes)
        best: dict[str, list[Part]] = {}
        for _ in range(arguments.rounds):
            for method in (_OURS, _PEER):
                parts = _together(method, files)
                if method not in best or _wall(parts) < _wall(best[method]):
                    best[method] = parts
    own = {url: extract(page.html.encode("utf-8", "replace"), charset="utf-8", url=url).text
           for url, page in pages.items()}  # fmt: skip
    texts = {method: _texts(parts) for method, parts in best.items()}
    speed = {method: len(pages) / _wall(parts) for method, parts in best.items()}
    columns = {
        f"{arguments.data.name}, {len(pages)} pages, {arguments.processes} processes": "",
        "pages/s": ".1f",
        "times the peer": ".2f",
        "CPU ms a page": ".1f",
        "MB a process": ".0f",
        "texts": "d",
        "F1": ".3f",
    }
    rows: list[list[Cell]] = [
        [
            method,
            speed[method],
            speed[method] / speed[_PEER],
            1000 * fmean(part.cpu for part in parts),
            max(part.memory for part in parts) / 1e6,
            len(texts[method]),
            _f1(texts[method], pages),
        ]
        for method, parts in best.items()
    ]
    rows.append(["extract() alone", *[None] * 4, sum(map(bool, own.values())), _f1(own, pages)])
    report.table("speed", columns, rows)
    same = sum(texts[_OURS].get(url, "") == text for url, text in own.items())
    report.table("texts", {"texts of extract-warc": "", "pages": "d"}, [
        ["the same as of extract()", same], ["all", len(pages)],
    ])  # fmt: skip
    return 0


def _pages(arguments: argparse.Namespace) -> Sequence[LabelledPage]:
    return [page for page in sample.sample(arguments) if page.html.strip()]


def _archives(pages: dict[str, LabelledPage], folder: Path, count: int) -> list[str]:
    """A WARC file for each process, in a folder of its own."""
    found: list[str] = []
    for part in range(count):
        layout = Layout(folder / str(part), "pages")
        series = WarcSeries(layout)
        for url, page in list(pages.items())[part::count]:
            body = page.html.encode("utf-8", "replace")
            headers = (("content-type", "text/html; charset=utf-8"),)
            series.write(Page(Lease.of_none(url), url, 200, headers, body, _MOMENT))
        series.complete()
        found += map(str, layout.warc_files())
    return found


def _together(method: str, files: list[str]) -> list[Part]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(files), mp_context=context) as pool:
        return list(pool.map(_alone, [method] * len(files), files))


def _alone(method: str, file: str) -> Part:
    data: Any = None
    for block in _blocks(method, file):
        data = block(data, 0, 1)
    texts: dict[str, str] = {}
    begin = end = 0.0
    looks: list[tuple[int, float]] = []
    memory = 0
    for number, document in enumerate(data):
        texts[document.metadata["url"]] = document.text
        end = time.perf_counter()
        begin = begin or end
        if not number % _PAGES_BETWEEN_LOOKS:
            own = descendants(os.getpid())
            looks.append((number, cpu_seconds(own)))
            memory = max(memory, memory_of(own))
    (first, before), (last, after) = looks[0], looks[-1]
    return Part(end - begin, (after - before) / max(1, last - first), memory, texts)


def _blocks(method: str, file: str) -> list[Any]:
    if method == _OURS:
        from refinery.blocks import PageExtractor, WarcReader  # noqa: PLC0415 - own libraries only

        return [WarcReader(file), PageExtractor()]
    from datatrove.pipeline.extractors import Trafilatura  # noqa: PLC0415
    from datatrove.pipeline.readers import WarcReader as Reader  # noqa: PLC0415

    path = Path(file)
    return [Reader(str(path.parent), glob_pattern=path.name), Trafilatura(timeout=30)]


def _wall(parts: Sequence[Part]) -> float:
    return max(part.seconds for part in parts)


def _texts(parts: Sequence[Part]) -> dict[str, str]:
    return {url: text for part in parts for url, text in part.texts.items()}


def _f1(texts: dict[str, str], pages: dict[str, LabelledPage]) -> float:
    """The mean of all pages; a page without a text counts as an empty one."""
    return fmean(words(texts.get(url, ""), page.gold_text).f1 for url, page in pages.items())
