"""``python -m refinery reference``: prints the reference of recipes, or writes it into its page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from corpus_commons.terminal.commands import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--update", type=Path, metavar="PAGE", help="update the reference in this page instead"
    )


def run(arguments: argparse.Namespace) -> int:
    """Raises UsageError for a page that is none."""
    from refinery.recipe.reference import put_reference, reference  # noqa: PLC0415 - takes a second

    page: Path | None = arguments.update
    if page is None:
        sys.stdout.write(reference())
        return 0
    try:
        page.write_text(put_reference(page.read_text(encoding="utf-8")), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    return 0
