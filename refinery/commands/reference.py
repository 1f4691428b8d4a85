"""``python -m refinery reference``: prints the reference of recipes, or writes it into its page."""

from __future__ import annotations

import argparse
from pathlib import Path

from corpus_commons.terminal.commands import usage_errors
from corpus_commons.terminal.output import standard_output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--update", type=Path, metavar="PAGE", help="update the reference in this page instead"
    )


def run(arguments: argparse.Namespace) -> int:
    """Raises UsageError for a page that is none."""
    from refinery.recipe.reference import put_reference, reference  # noqa: PLC0415 - takes a second

    page: Path | None = arguments.update
    if page is None:
        with standard_output() as out:
            out.write(reference())
        return 0
    with usage_errors():
        page.write_text(put_reference(page.read_text(encoding="utf-8")), encoding="utf-8")
    return 0
