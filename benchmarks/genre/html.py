"""The cost of classifying pages by their HTML, in addition to the parse, which is shared.

In one process and one thread. Parsing, classification of one page and of several, the same beside
our extractor, and trafilatura's extraction take turns, so that other load affects all of them.
Times are CPU times.
"""

from __future__ import annotations

import argparse
import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean, median

from trafilatura import extract

from benchmarks import sample
from benchmarks.report import Report
from corpus_commons.markup import Dom, parse
from corpus_commons.markup.forest import forest_of
from extraction.output import Output
from extraction.registry import extractor
from extraction.source import Page
from genre_model.html.classifier import HtmlClassifier

SUMMARY = "measure the time of classifying pages by HTML, in addition to the parse"

_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
_TOGETHER = 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)


def run(arguments: argparse.Namespace, report: Report) -> int:
    logging.disable(logging.CRITICAL)
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    classifier = HtmlClassifier.shipped()
    pages = sample.sample(arguments)
    classifier.predict([parse(pages[0].html)])
    steps: dict[str, list[float]] = {
        "parse": [],
        "genre and page type, one page": [],
        "trafilatura, its text": [],
    }
    together: list[float] = []
    beside: list[float] = []
    batch: list[Dom] = []
    for number, page in enumerate(sample.shown(pages), start=1):
        dom = parse(page.html)
        # Those that are classified together are parsed again: a page keeps what is read of it.
        batch.append(parse(page.html))
        works: tuple[Callable[[], object], ...] = (
            partial(parse, page.html),
            partial(classifier.predict, [dom]),
            partial(extract, page.html),
        )
        for taken, work in zip(steps.values(), works, strict=True):
            taken.append(sample.cpu_seconds(work) * 1000)
        if len(batch) == _TOGETHER or number == len(pages):
            together += _of_each(classifier, batch)
            again = [parse(one.html) for one in pages[number - len(batch) : number]]
            beside += _beside_the_extractor(classifier, again)
            batch = []
    steps[f"genre and page type, {_TOGETHER} pages at once"] = together
    steps[f"genre and page type, {_TOGETHER} pages at once, beside the extractor"] = beside
    columns = {
        f"{arguments.data.name}, {len(pages)} pages": "",
        **dict.fromkeys(("mean ms", "median ms", "largest ms"), ".1f"),
    }
    rows = [(name, fmean(taken), median(taken), max(taken)) for name, taken in steps.items()]
    report.table("time", columns, rows)
    return 0


def _of_each(classifier: HtmlClassifier, batch: Sequence[Dom]) -> list[float]:
    """The milliseconds of every page of a batch, which is classified at once."""
    taken = sample.cpu_seconds(partial(classifier.predict, batch)) * 1000
    return [taken / len(batch)] * len(batch)


def _beside_the_extractor(classifier: HtmlClassifier, batch: Sequence[Dom]) -> list[float]:
    """The same of pages that the extractor has read, as long as their columns are kept."""
    forest = forest_of(batch)
    extractor("boosted-blocks").extract_many(
        # Told something, it does not ask the classifier itself.
        [Page(dom, page_type_scores={}) for dom in batch],
        Output(),
    )
    taken = _of_each(classifier, batch)
    del forest
    return taken
