"""`python -m genre_model synthesize`: renders synthetic pages into a folder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corpus_commons.terminal.output import say
from genre_model.training.synthesis.dataset import Plan, synthesise
from genre_model.training.synthesis.frameworks import missing_sheets

_PACKAGES = Path(__file__).parents[1] / "training" / "synthesis" / "packages.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, help="folder for shots and labels")
    parser.add_argument("--pages", type=int, default=10_000, help="how many pages in all")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    parser.add_argument(
        "--packages",
        type=Path,
        required=True,
        help="folder with node_modules that contains the CSS frameworks",
    )
    parser.add_argument("--workers", type=int, default=2, help="processes, each with a browser")


def run(args: argparse.Namespace) -> int:
    """Exit code: 0 done, 2 if the CSS frameworks are not installed."""
    if missing := missing_sheets(args.packages):
        names = " ".join(_PACKAGES.read_text(encoding="utf-8").split())
        sys.stderr.write(
            f"{len(missing)} style sheets are missing, such as {missing[0]}. Install them:\n"
            f"  cd {args.packages} && npm install --ignore-scripts {names}\n"
        )
        return 2
    plan = Plan(args.out, args.pages, args.seed, args.packages)
    synthesise(plan, args.workers, say)
    return 0
