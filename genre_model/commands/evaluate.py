"""``evaluate``: scores predictions on labelled pages, and shows the mistakes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from corpus_commons.counts import number_of
from corpus_commons.terminal.arguments import output_file, whole
from corpus_commons.terminal.commands import EXIT_FINE, EXIT_INCOMPLETE, UsageError, usage_errors
from corpus_commons.terminal.console import show
from corpus_commons.terminal.output import write_output
from corpus_commons.terminal.progress import watched
from genre_model.commands import classifier_options
from genre_model.labels import HEADS
from genre_model.page_classifiers import all_ids, answers
from genre_model.page_files import SCREENSHOT_SUFFIXES, files_by_stem, html_file
from genre_model.prediction import THRESHOLD
from genre_model.samples import Sample, check_columns, check_labelled, check_sites, read_samples
from genre_model.scoring.judgement import (
    Judgement,
    column,
    judge,
    theme_seen_in,
    theme_seen_in_folds,
)
from genre_model.scoring.pictures import confident_mistakes, confusion_picture, contact_sheet
from genre_model.scoring.prediction_file import Predicted, read_predictions
from genre_model.scoring.scores import Scores
from genre_model.scoring.tables import as_json, by_class, confusion, summary

Parts = dict[str, Callable[[Sample], str]]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        required=True,
        help="a labelled folder: labels.jsonl, shots/ and, for HTML, html.jsonl.zst; or one .jsonl "
        "file with labels and HTML",
    )
    parser.add_argument(
        "--predictions", type=Path, help="score this output of `predict` instead of predicting"
    )
    parser.add_argument(
        "--group-by",
        action="append",
        default=[],
        metavar="COLUMN",
        help="also report scores for each value of this column of the labels (repeatable)",
    )
    parser.add_argument(
        "--site",
        default="repo",
        metavar="COLUMN",
        help="the column with the site; pages of a site are resampled together for the intervals "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--trained-on",
        type=Path,
        metavar="FOLDER",
        help="the labelled folder with the training data: also report scores by whether a page's "
        "theme was in it (if predictions have a `fold`: in the other folds)",
    )
    parser.add_argument("--json", type=output_file, help="also write all scores to this file")
    parser.add_argument(
        "--pictures",
        type=Path,
        metavar="FOLDER",
        help="folder for confusion matrices and contact sheets of the worst mistakes (PNG)",
    )
    parser.add_argument(
        "--mistakes",
        type=whole,
        default=24,
        help="number of mistakes on a contact sheet (default: %(default)s)",
    )
    classifier_options.add_arguments(parser)


def run(arguments: Namespace) -> int:
    """Print the scores; returns 3 if labelled pages have no prediction."""
    with usage_errors():
        samples = read_samples(arguments.data)
        check_labelled(arguments.data, samples)
        check_sites(samples, arguments.site)
        check_columns(samples, arguments.group_by)
        if arguments.pictures:
            arguments.pictures.mkdir(parents=True, exist_ok=True)
        predictions, threshold = _predictions(arguments, samples)
        judgements = [
            found for head in HEADS if (found := judge(head, samples, predictions, arguments.site))
        ]
        parts = _parts(arguments, samples, predictions)
    if not judgements:
        raise UsageError("no labelled page has a prediction; check that the ids match")
    results = {}
    for judgement in judgements:
        scores = {"all": judgement.scores(threshold=threshold)}
        for name, part_of in parts.items():
            for part, where in judgement.parts(part_of):
                scores[f"{name}={part}"] = judgement.scores(where, threshold=threshold)
        _print(judgement, scores)
        results[judgement.head] = {
            "missing": judgement.missing,
            "parts": {part: as_json(found) for part, found in scores.items()},
        }
        if arguments.pictures:
            _draw(arguments, judgement, scores["all"])
    if arguments.json:
        write_output(arguments.json, orjson.dumps(results, option=orjson.OPT_INDENT_2))
    missing = any(judgement.missing for judgement in judgements)
    return EXIT_INCOMPLETE if missing else EXIT_FINE


def _predictions(
    arguments: Namespace, samples: Sequence[Sample]
) -> tuple[Mapping[str, Predicted], float]:
    """The predictions, from the given file or made here, and the threshold."""
    if arguments.predictions:
        threshold = THRESHOLD if arguments.threshold is None else arguments.threshold
        return read_predictions(arguments.predictions), threshold
    wanted = {sample.id for sample in samples}
    classifiers, fusion, threshold = classifier_options.open_classifiers(
        arguments, *_pages(arguments), wanted
    )
    ids = [page for page in all_ids(classifiers) if page in wanted]
    found = answers(classifiers, ids, threshold=threshold, fusion=fusion)
    predictions = {
        answer.id: Predicted(answer.prediction)
        for answer in watched(found, len(ids), "pages")
        if answer.prediction is not None
    }
    return predictions, threshold


def _pages(arguments: Namespace) -> tuple[Path | None, Path | None]:
    """The screenshots and the HTML of the data: what ``--by`` says, or all that there is."""
    shots, html = arguments.data / "shots", html_file(arguments.data)
    if arguments.by:
        return shots, html
    if not shots.is_dir():
        return None, html
    return shots, html if html.is_file() else None


def _parts(
    arguments: Namespace, samples: Sequence[Sample], predictions: Mapping[str, Predicted]
) -> Parts:
    parts: Parts = {name: column(name) for name in arguments.group_by}
    if arguments.trained_on:
        parts["theme"] = theme_seen_in(read_samples(arguments.trained_on))
    elif any(predicted.fold is not None for predicted in predictions.values()):
        parts["theme"] = theme_seen_in_folds(samples, predictions)
    return parts


def _print(judgement: Judgement, scores: Mapping[str, Scores]) -> None:
    name = judgement.head.replace("_", " ")
    found = scores["all"]
    show(
        summary(f"{name}: 95 % intervals, {found.groups} groups resampled", scores),
        by_class(found),
        confusion(found),
        f"sure: the share of pages whose best score reaches {found.threshold:g}; "
        "for the others, the prediction is unsure",
    )
    if judgement.missing:
        missing = number_of(judgement.missing, "labelled page has", "labelled pages have")
        show(f"[bold]{missing} no prediction[/]")
    show("")


def _draw(arguments: Namespace, judgement: Judgement, scores: Scores) -> None:
    folder: Path = arguments.pictures
    name = judgement.head.replace("_", "-")
    title = judgement.head.replace("_", " ").capitalize()
    shots = arguments.data / "shots"
    files: dict[str, Any] = files_by_stem(shots, SCREENSHOT_SUFFIXES) if shots.is_dir() else {}
    mistakes = confident_mistakes(judgement, arguments.mistakes)
    wrong = scores.pages - scores.confusion.trace()
    confusion_picture(scores, title).save(folder / f"confusion-{name}.png")
    heading = f"{title}: the {len(mistakes)} most confident of {wrong} mistakes (true -> answer)"
    contact_sheet(mistakes, files, heading).save(folder / f"mistakes-{name}.png")
