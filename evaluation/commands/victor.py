"""``victor``: Victor cross-validated on CleanEval's development pages (the thesis's Table 6.1)."""

from __future__ import annotations

import random
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

import numpy as np

from corpus_commons.counts import number_of
from corpus_commons.markup.dom import parse
from corpus_commons.terminal.arguments import folds, whole
from corpus_commons.terminal.commands import UsageError, usage_errors
from evaluation.commands import output
from evaluation.metrics.cleaneval import cleaneval_tagged
from evaluation.metrics.score import Confusion
from evaluation.tables import table_of
from extraction.labelled import LabelledPage, read_pages
from extraction.methods.victor import Labelling, Victor
from extraction.methods.victor.blocks import cut
from extraction.methods.victor.crf import LABELS, OTHER, Crf
from extraction.methods.victor.extractor import Decoding, assembled
from extraction.methods.victor.training import Example, Settings, example_of, fit
from extraction.training.cleaneval import tagged

_DECODINGS: tuple[Decoding, ...] = ("marginal", "viterbi")


def add_arguments(parser: ArgumentParser) -> None:
    defaults = Settings()
    parser.add_argument("--data", type=Path, required=True, help="CleanEval as .jsonl.zst")
    parser.add_argument("--split", default="dev", help="pages to use (default: %(default)s)")
    parser.add_argument("--folds", type=folds, default=10, help="default: %(default)s")
    parser.add_argument("--window", type=whole, default=defaults.window)
    parser.add_argument("--c1", type=float, default=defaults.c1)
    parser.add_argument("--c2", type=float, default=defaults.c2)
    parser.add_argument("--seed", type=int, default=0, help="(default: %(default)s)")
    output.add_arguments(parser)


def run(arguments: Namespace) -> None:
    """Print the cross-validated mean scores over pages."""
    settings = Settings(arguments.window, arguments.c1, arguments.c2)
    with usage_errors():
        pages = [
            page
            for page in read_pages(arguments.data)
            if page.split == arguments.split and page.gold_tagged and page.gold_text
        ]
    if len(pages) < arguments.folds:
        raise UsageError(f"{len(pages)} tagged pages are too few for {arguments.folds} folds")
    random.Random(arguments.seed).shuffle(pages)  # noqa: S311 - an order of pages, not a secret
    scores: dict[str, _Scores] = {name: _Scores() for name in (*_DECODINGS, "gold labels")}
    examples = [example_of(page, settings.binning) for page in pages]
    for fold in range(arguments.folds):
        seen = [example for i, example in enumerate(examples) if i % arguments.folds != fold]
        # Pages without blocks cannot be trained on, but are scored.
        crf = fit([example for example in seen if len(example.labels)], settings)
        held_out = slice(fold, None, arguments.folds)
        for page, example in zip(pages[held_out], examples[held_out], strict=True):
            for name, labelling, gold in _labellings(page, example, crf):
                scores[name].add(page, labelling, gold)
    results = {name: score.means() for name, score in scores.items()}
    title = (
        f"CleanEval, {arguments.split}: {number_of(len(pages), 'page')}, {arguments.folds} folds"
    )
    output.publish(arguments, [table_of(title, "decoding", results)], results)


def _labellings(
    page: LabelledPage, example: Example, crf: Crf
) -> Iterator[tuple[str, Labelling, Labelling]]:
    """For every decoding, its name, the predicted labelling and the gold labelling."""
    dom = parse(page.html)
    gold = Labelling(cut(dom), example.labels, np.eye(len(LABELS))[example.labels])
    for decoding in _DECODINGS:
        yield decoding, Victor(crf, decoding).label(dom), gold
    yield "gold labels", gold, gold


class _Scores:
    """CleanEval's scores of every page, and the pooled block counts."""

    def __init__(self) -> None:
        self.by_page: list[dict[str, float]] = []
        self.blocks = Confusion()
        self.labels: list[bool] = []

    def add(self, page: LabelledPage, labelling: Labelling, gold: Labelling) -> None:
        cleaneval = cleaneval_tagged(
            tagged(assembled(labelling, Victor.name)), page.gold_tagged or ""
        )
        self.by_page.append(
            {
                "text only": cleaneval.text.f1,
                "text and markup": cleaneval.text_and_markup.f1,
                "markup only": cleaneval.markup.f1,
                "total": cleaneval.total,
            }
        )
        self.blocks += Confusion.of(labelling.labels != OTHER, gold.labels != OTHER)
        self.labels += (labelling.labels == gold.labels).tolist()

    def means(self) -> dict[str, float]:
        means = {name: fmean(page[name] for page in self.by_page) for name in self.by_page[0]}
        return means | {"block F1": self.blocks.score.f1, "labels": fmean(self.labels)}
