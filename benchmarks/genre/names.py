"""What tells the kind of a page where the names of its elements say nothing.

Names of elements that a build tool has made up are alike on pages of all kinds. Here every name of
labelled pages is replaced by such a one, so the HTML classifier has only the page's structure and
text; the screenshot stays what it was. The pages should be of sites that were not trained on.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from benchmarks.report import Cell, Report
from corpus_commons.markup.nameless import nameless
from corpus_commons.terminal.commands import usage_errors
from genre_model.fusion import SHIPPED, Fusion
from genre_model.html.classifier import HtmlClassifier
from genre_model.network.classifier import GenreClassifier
from genre_model.page_classifiers import PageClassifier, answers, of_html_lines, of_screenshots
from genre_model.page_files import SCREENSHOT_SUFFIXES, files_by_stem, html_file, html_lines
from genre_model.prediction import THRESHOLD
from genre_model.samples import Sample, read_samples
from genre_model.scoring.judgement import judge
from genre_model.scoring.prediction_file import Predicted
from genre_model.scoring.tables import interval

SUMMARY = "compare HTML, with and without telling names, screenshot, and both"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", type=Path, required=True, help="labels.jsonl, html.jsonl.zst and shots/"
    )


def run(arguments: argparse.Namespace, report: Report) -> int:
    logging.disable(logging.CRITICAL)
    with usage_errors():
        samples = read_samples(arguments.data)
        pages = dict(html_lines(html_file(arguments.data)))
        shots = files_by_stem(arguments.data / "shots", SCREENSHOT_SUFFIXES)
    html = HtmlClassifier.shipped()
    plain = of_html_lines(html, _lines(pages))
    unnamed = of_html_lines(html, _lines({page: nameless(pages[page]) for page in pages}))
    seen = _once(of_screenshots(GenreClassifier.shipped(), shots))
    ways: dict[str, Sequence[PageClassifier]] = {
        "HTML": (plain,),
        "HTML without names": (unnamed,),
        "screenshot": (seen,),
        "screenshot and HTML": (seen, plain),
        "screenshot and HTML without names": (seen, unnamed),
    }
    columns = {
        f"{len(samples):,} pages": "",
        "article or list-view": ">",
        "nine page types": ">",
    }
    report.table("accuracy", columns, _rows(samples, ways))
    return 0


def _lines(pages: Mapping[str, str]) -> Iterator[dict[str, str]]:
    return ({"id": page, "html": html} for page, html in pages.items())


def _once(classifier: PageClassifier) -> PageClassifier:
    """The same, which remembers what it has classified."""
    classify = cache(classifier.classify)
    return classifier._replace(classify=lambda ids: classify(tuple(ids)))


def _rows(
    samples: Sequence[Sample], ways: Mapping[str, Sequence[PageClassifier]]
) -> Iterator[Sequence[Cell]]:
    ids = sorted(sample.id for sample in samples)
    fusion = Fusion.load(SHIPPED)
    for way, classifiers in ways.items():
        found = answers(classifiers, ids, threshold=THRESHOLD, fusion=fusion)
        predictions = {
            answer.id: Predicted(answer.prediction) for answer in found if answer.prediction
        }
        yield way, *(_accuracy(head, samples, predictions) for head in ("genre", "page_type"))


def _accuracy(head: str, samples: Sequence[Sample], predictions: Mapping[str, Predicted]) -> Cell:
    judgement = judge(head, samples, predictions)
    if judgement is None:
        return None
    return interval(judgement.scores(threshold=THRESHOLD).accuracy)
