"""Data sets: pages with gold text, whatever layout they were published in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaluation.datasets import article_benchmark, cleaneval, plain_folder, wcxb
from extraction.labelled import LabelledPage, read_pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["LabelledPage", "open_dataset"]

_LAYOUTS = """\
NAME.jsonl.zst (one labelled page per line)
finalrun-input/ and GoldStandard/ (CleanEval)
ground-truth/*.json and html/*.html.gz, or dev/ and test/ with these (WCXB)
ground-truth.json and html/*.html.gz (article-extraction-benchmark)
*.html and *.txt of the same name"""


def open_dataset(path: Path) -> Iterator[LabelledPage]:
    """The labelled pages of a file or folder, whose layout is detected.

    Raises FileNotFoundError for a path that does not exist, ValueError for an unknown layout; the
    iterator raises ValueError, naming the file, for a page that cannot be read.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such data set")
    if path.is_file() and path.name.endswith(".jsonl.zst"):
        return read_pages(path)
    if path.is_dir():
        if cleaneval.folders(path):
            return cleaneval.read(path)
        if wcxb.splits(path):
            return wcxb.read(path)
        if article_benchmark.fits(path):
            return article_benchmark.read(path)
        if plain_folder.fits(path):
            return plain_folder.read(path)
    raise ValueError(f"{path}: unknown layout; it must be one of:\n{_LAYOUTS}")
