"""``fit-fusion``: the weights of both eyes, from their out-of-fold predictions of pages."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.console import Console

from genre_model.calibration import FloatArray
from genre_model.commands.command import UsageError
from genre_model.fusion import Fusion, HeadFusion, cross_fused, fit_fusion, mean, product
from genre_model.judgement import Judgement, judge, read_predictions
from genre_model.prediction import THRESHOLD
from genre_model.samples import grouped_folds, read_samples
from genre_model.score_tables import summary
from genre_model.scores import Scores

_WIDTH = 140


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="the labelled folder")
    parser.add_argument(
        "--screenshot", type=Path, required=True, help="out-of-fold predictions by screenshot"
    )
    parser.add_argument("--html", type=Path, required=True, help="out-of-fold predictions by HTML")
    parser.add_argument("--out", type=Path, required=True, help="the .json file of weights")


def run(arguments: Namespace) -> None:
    """Compare both eyes, the mean, the product and the fitted pool; write the pool's weights.

    The pool is scored on pages of sites whose predictions its weights were not fitted on.
    """
    try:
        screenshot = read_predictions(arguments.screenshot)
        html = read_predictions(arguments.html)
        both = screenshot.keys() & html.keys()
        samples = [sample for sample in read_samples(arguments.data) if sample.id in both]
        heads = [
            _fitted(judge(head, samples, screenshot), judge(head, samples, html))
            for head in ("genre", "page_type")
        ]
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    Fusion(*heads).save(arguments.out)


def _fitted(screenshot: Judgement | None, html: Judgement | None) -> HeadFusion:
    """The pool of one head, after a table that says what it is worth."""
    if screenshot is None or html is None:
        raise ValueError("no labelled page is in both files of predictions")
    names = screenshot.labels
    order = [html.labels.index(label) for label in names]
    one, two, truth = screenshot.probabilities, html.probabilities[:, order], screenshot.truth
    folds = grouped_folds([str(s.record.get("repo") or s.id) for s in screenshot.samples])

    def scores(probabilities: FloatArray) -> Scores:
        return replace(screenshot, probabilities=probabilities).scores(threshold=THRESHOLD)

    pools = {
        "screenshot": one,
        "html": two,
        "mean": mean(one, two),
        "product": product(one, two),
        "fitted pool": cross_fused(one, two, truth, names, np.array(folds)),
    }
    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    title = screenshot.head.replace("_", " ")
    console.print(summary(title, {name: scores(pool) for name, pool in pools.items()}))
    return fit_fusion(one, two, truth, names)
