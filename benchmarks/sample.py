"""The pages of a benchmark."""

from __future__ import annotations

import argparse
from pathlib import Path

from extraction.training.labelled import LabelledPage, read_pages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a .jsonl.zst of labelled pages")
    parser.add_argument("--limit", type=int, help="only this many pages, evenly spaced")


def sample(arguments: argparse.Namespace) -> list[LabelledPage]:
    """The pages of ``--data``, or ``--limit`` of them, evenly spaced."""
    pages = list(read_pages(arguments.data))
    limit = min(arguments.limit or len(pages), len(pages))
    return [pages[number * len(pages) // limit] for number in range(limit)]
