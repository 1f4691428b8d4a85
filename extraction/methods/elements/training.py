"""Train the element classifier, and cross-validate it by site."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from rich.table import Table

from corpus_commons.terminal.arguments import (
    add_labelled_pages,
    make_output_folder,
    output_file,
    whole,
)
from corpus_commons.terminal.console import show
from corpus_commons.terminal.output import write_output

if TYPE_CHECKING:
    from extraction.methods.elements.scores import Figures, Scores

_log = logging.getLogger(__name__)


def add_arguments(parser: ArgumentParser) -> None:
    """The options of ``python -m extraction train elements``."""
    add_labelled_pages(parser)
    parser.add_argument(
        "--cross-validate", action="store_true", help="write no model; only report scores"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("elements"),
        metavar="FOLDER",
        help="the folder for the model and scores.json (default: %(default)s)",
    )
    parser.add_argument(
        "--json", type=output_file, metavar="FILE", help="also write the scores to this file"
    )
    parser.add_argument(
        "--texts",
        type=output_file,
        metavar="FILE",
        help="write the text of every page, extracted with models trained without its site, as "
        "JSON lines for `genre-crawler evaluate extraction --from`",
    )
    parser.add_argument("--seed", type=whole, default=1, help="(default: %(default)s)")


def run(args: Namespace) -> None:
    """Cross-validate and report; unless ``--cross-validate``, also train and write the model."""
    # LightGBM and SciPy are slow to import, and --help needs none of them.
    from extraction.methods.elements.experiment import Experiment  # noqa: PLC0415

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    if not args.cross_validate:
        make_output_folder(args.out)
    experiment = Experiment(args.data, args.seed)
    found = experiment.scores()
    show(_table(found))
    scores = orjson.dumps(found, option=orjson.OPT_INDENT_2) + b"\n"
    if args.json:
        write_output(args.json, scores)
    if args.texts:
        experiment.write_texts(args.texts)
    if not args.cross_validate:
        experiment.model().save(args.out)
        write_output(args.out / "scores.json", scores)
        _log.info("wrote the model to %s", args.out)


def _table(scores: Mapping[str, Mapping[str, Mapping[str, Scores]]]) -> Table:
    """Every data set's text and image scores."""
    table = Table("set", "elements", "number", "by element: P  R  F1", "by text: P  R  F1")
    for data_set, parts in scores.items():
        for part, by_kind in parts.items():
            for kind, score in by_kind.items():
                table.add_row(
                    data_set,
                    f"{part}: {kind}",
                    f"{score['count']:,}",
                    _line(score["by_element"]),
                    _line(score["by_text"]) if part == "text" else "",
                )
    return table


def _line(figures: Figures) -> str:
    values = (figures["precision"], figures["recall"], figures["f1"])
    return "  ".join("  –  " if value is None else f"{value:.3f}" for value in values)
