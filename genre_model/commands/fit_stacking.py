"""``fit-stacking``: fits how the HTML classifier's and the extractor's page types are weighed."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import orjson

from corpus_commons.line_files import read_records
from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.commands import usage_errors
from corpus_commons.terminal.console import show
from genre_model.calibration import FloatArray
from genre_model.commands.training_options import add_group_by
from genre_model.folds import check_folds, grouped_folds
from genre_model.labels import HEADS, indices_of
from genre_model.prediction import Prediction, scores_of
from genre_model.scoring.prediction_file import Predicted, read_predictions
from genre_model.scoring.tables import by_class, summary
from genre_model.training.html.pages import (
    FOLDER,
    WCXB,
    WEIGHT_OF_WCXB,
    LabelledHtml,
    read_folder,
    read_wcxb,
)
from genre_model.training.html.scored import scored
from genre_model.training.stacking import Opinions, fit_stacking

_WEIGHTS: Final = {FOLDER: 1.0, WCXB: WEIGHT_OF_WCXB["page_type"]}

_Scores = Mapping[str, float]

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="labelled pages")
    parser.add_argument("--wcxb", type=Path, required=True, metavar="FILE", help="WCXB's pages")
    html = "out-of-fold predictions by train-html"
    extractor = "JSON lines (id, page_type_scores) by an extractor that was not trained on the page"
    for end, pages in (("", "the folder"), ("-wcxb", "WCXB")):
        for name, what in (("--html", html), ("--extractor", extractor)):
            parser.add_argument(
                name + end, type=Path, required=True, metavar="FILE", help=f"of {pages}: {what}"
            )
    add_group_by(parser)
    parser.add_argument("--out", type=output_file, required=True, help="the .json file of weights")


def run(arguments: Namespace) -> None:
    """Compare HTML alone with both opinions, cross-fitted by site; write the weights."""
    with usage_errors():
        sets = _sets(arguments)
        folds = [fold for pages in sets.values() for fold in grouped_folds([p.site for p in pages])]
        pages = [page for its in sets.values() for page in its]
        read = np.array([bool(page.extractor) for page in pages])
        check_folds("page_type", read, np.array(folds))
        opinions = _opinions([page for page in pages if page.extractor])
    where = np.array(folds)[read]
    fitted = {fold: fit_stacking(opinions[where != fold]) for fold in {*folds}}
    judged = [
        _Judged(page, fitted[fold].weigh(page.html, page.extractor))
        for page, fold in zip(pages, folds, strict=True)
    ]
    for name in sets:
        _print(name, [one for one in judged if one.page.labelled.dataset == name])
    fit_stacking(opinions).save(arguments.out)
    _log.info("wrote %s", arguments.out)


class _Page(NamedTuple):
    """A page of known type. extractor: empty for a page that it finds empty."""

    labelled: LabelledHtml
    html: Prediction
    extractor: _Scores

    @property
    def site(self) -> str:
        return self.labelled.site


class _Judged(NamedTuple):
    """A page, and what both say of it, weighed as other sites suggest."""

    page: _Page
    weighed: Prediction


def _sets(arguments: Namespace) -> dict[str, list[_Page]]:
    """The pages by data set. Raises OSError or ValueError for files that cannot be used."""
    folder, wcxb = arguments.data, arguments.wcxb
    sets = {
        FOLDER: _read(
            read_folder(folder, arguments.group_by),
            read_predictions(arguments.html),
            _extractor_scores(arguments.extractor, folder),
        ),
        WCXB: _read(
            read_wcxb(wcxb),
            read_predictions(arguments.html_wcxb),
            _extractor_scores(arguments.extractor_wcxb, wcxb),
        ),
    }
    for path, pages in zip((folder, wcxb), sets.values(), strict=True):
        if not any(page.extractor for page in pages):
            raise ValueError(
                f"{path}: no page has a known type, and scores by HTML and by the extractor"
            )
    return sets


def _read(
    pages: Iterable[LabelledHtml], html: Mapping[str, Predicted], extractor: Mapping[str, _Scores]
) -> list[_Page]:
    """The pages of one set that have a known type and a prediction by HTML."""
    return [
        _Page(replace(page, html=""), html[page.id].prediction, extractor.get(page.id, {}))
        for page in pages
        if page.page_type is not None and page.id in html
    ]


def _extractor_scores(path: Path, data: Path) -> dict[str, _Scores]:
    """The scores by id. Lines of another set than that of ``data`` are left out.

    Raises ValueError, naming file and line, for a line without scores, or of a repeated page.
    """
    found: dict[str, _Scores] = {}
    name = data.name.partition(".")[0]

    def take(line: bytes) -> None:
        fields = orjson.loads(line)
        if not isinstance(fields, dict) or not isinstance(fields.get("id"), str):
            raise ValueError("it has no id")
        if fields.get("set", name) != name:
            return
        if fields["id"] in found:
            raise ValueError(f"a second line for {fields['id']}")
        found[fields["id"]] = scores_of(fields.get("page_type_scores"))

    for _ in read_records(path, take):
        pass
    return found


def _opinions(pages: Sequence[_Page]) -> Opinions:
    """Raises ValueError for scores with different labels, or without that of a page."""
    labels, extractor_labels = tuple(pages[0].html.page_type_scores), tuple(pages[0].extractor)
    types = [str(page.labelled.page_type) for page in pages]
    if unscored := {*types} - {*labels}:
        raise ValueError(f"there are pages of {sorted(unscored)}, but no scores for that by HTML")
    return Opinions(
        _rows([page.html.page_type_scores for page in pages], labels),
        _rows([page.extractor for page in pages], extractor_labels),
        indices_of(types, labels),
        np.array([_WEIGHTS[page.labelled.dataset] for page in pages]),
        labels,
        extractor_labels,
    )


def _rows(tables: Sequence[_Scores], labels: Sequence[str]) -> FloatArray:
    for table in tables:
        if {*table} != {*labels}:
            raise ValueError(f"scores for {sorted(table)}, others for {sorted(labels)}")
    return np.array([[table[label] for label in labels] for table in tables])


def _print(name: str, judged: Sequence[_Judged]) -> None:
    """The scores of one set, of all its pages and of those with both opinions."""
    for head in HEADS:
        known = [one for one in judged if getattr(one.page.labelled, head) is not None]
        read = [one for one in known if one.page.extractor]
        if not read:
            continue
        rows = {
            f"{by}{of}": scored(head, [one.page.labelled for one in chosen], predictions)
            for of, chosen in (("", known), (", pages with text", read))
            for by, predictions in (
                ("HTML", [one.page.html for one in chosen]),
                ("HTML and extractor", [one.weighed for one in chosen]),
            )
        }
        show(summary(f"{head.replace('_', ' ')}, {name}", rows))
        show(by_class(rows["HTML and extractor"]))
