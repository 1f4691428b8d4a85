"""``corpus current DIR... --out OUT``: one of several, with the latest state of each page."""

from __future__ import annotations

import argparse
from pathlib import Path

from pipelines.commands import merge


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="a corpus")
    parser.add_argument("--out", type=Path, required=True, help="the new corpus's folder")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    merge.run(arguments, is_current=True)
