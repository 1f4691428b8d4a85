"""A folder of pages and gold texts of the same name: ``NAME.html`` (or ``.htm``) and ``NAME.txt``.

This layout is meant for your own pages. The encoding of a page is detected as in browsers; gold
text is UTF-8, and an empty file means that the page has no main content.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpus_commons.file_names import as_text
from corpus_commons.markup.encoding import decode
from evaluation.datasets.files import read_bytes, read_text
from extraction.labelled import LabelledPage

LAYOUT = "*.html and *.txt of the same name"


def fits(path: Path) -> bool:
    return any(page.with_suffix(".txt").is_file() for page in _pages(path))


def read(path: Path) -> Iterator[LabelledPage]:
    """The pages by name."""
    for page in _pages(path):
        gold = page.with_suffix(".txt")
        if not gold.is_file():
            raise ValueError(f"{page}: its gold text {gold.name} is missing")
        yield LabelledPage(
            id=as_text(page.stem), html=decode(read_bytes(page)), gold_text=read_text(gold)
        )


def _pages(path: Path) -> list[Path]:
    return sorted(file for file in path.iterdir() if file.suffix.lower() in {".html", ".htm"})
