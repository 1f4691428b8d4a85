"""`python -m genre_model synthesize`: renders synthetic pages into a folder."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from corpus_commons.terminal.arguments import make_output_folder, positive
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.output import say
from genre_model.training.synthesis.dataset import Plan, synthesise
from genre_model.training.synthesis.frameworks import missing_sheets

_PACKAGES = Path(__file__).parents[1] / "training" / "synthesis" / "packages.txt"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, help="folder for shots and labels")
    parser.add_argument(
        "--pages",
        type=positive,
        default=10_000,
        help="how many pages in all, rounded up to hundreds (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    parser.add_argument(
        "--packages",
        type=Path,
        required=True,
        help="the folder whose node_modules has the CSS frameworks; without them, the npm command "
        "that installs them there is told",
    )
    parser.add_argument(
        "--workers",
        type=positive,
        default=2,
        help="processes, each with a browser (default: %(default)s)",
    )


def run(arguments: Namespace) -> None:
    """Render what the folder lacks. Raises UsageError if the CSS frameworks are not installed."""
    packages: Path = arguments.packages
    if missing := missing_sheets(packages):
        names = " ".join(_PACKAGES.read_text(encoding="utf-8").split())
        raise UsageError(
            f"--packages: {len(missing)} style sheets are missing in {packages}, such as "
            f"{missing[0]}; install them: npm install --prefix {packages} --ignore-scripts {names}"
        )
    make_output_folder(arguments.out)
    plan = Plan(arguments.out, arguments.pages, arguments.seed, packages)
    synthesise(plan, arguments.workers, say)
