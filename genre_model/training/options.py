"""The options that `train-html` and `train-layout` share."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from corpus_commons.terminal.arguments import folds, output_file


def add_training_options(parser: ArgumentParser, shipped: Path) -> None:
    """Where the model goes, and how it is cross-validated.

    shipped: the model that is written if the user names none.
    """
    parser.add_argument(
        "--out",
        type=output_file,
        default=shipped,
        help="the model file (default: the shipped one)",
    )
    parser.add_argument(
        "--cross-validate",
        type=folds,
        default=5,
        metavar="FOLDS",
        help="folds, by site (default: %(default)s)",
    )
    parser.add_argument(
        "--group-by", default="repo", metavar="COLUMN", help="the labels' column with the site"
    )
    parser.add_argument(
        "--oof", type=output_file, metavar="OUT.jsonl", help="write out-of-fold predictions"
    )
