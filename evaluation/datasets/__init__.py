"""Data sets: pages with gold text, whatever layout they were published in.

A new layout is a module with ``LAYOUT``, ``fits`` and ``read``, and a line in the table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from corpus_commons.page_lines import LINES_SUFFIXES
from evaluation.datasets import article_benchmark, cleaneval, plain_folder, wcxb
from extraction.labelled import LabelledPage, read_pages

__all__ = ["LabelledPage", "open_dataset"]


class Layout(Protocol):
    """What the module of a layout has. LAYOUT: what its folders hold, for the user."""

    LAYOUT: str

    def fits(self, path: Path) -> bool:
        """Whether the folder has this layout."""

    def read(self, path: Path) -> Iterator[LabelledPage]:
        """The pages of such a folder. Raises ValueError, naming the file, for an unusable one."""


# The first that fits is taken.
LAYOUTS: Final[tuple[Layout, ...]] = (cleaneval, wcxb, article_benchmark, plain_folder)


def open_dataset(path: Path) -> Iterator[LabelledPage]:
    """The labelled pages of a file or folder, whose layout is detected.

    Raises FileNotFoundError for a path that does not exist, ValueError for an unknown layout; the
    iterator raises ValueError, naming the file, for a page that cannot be read.
    """
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such data set")
    if path.is_file() and path.name.endswith(LINES_SUFFIXES):
        return read_pages(path, snippets_suffice=True)
    if path.is_dir():
        for layout in LAYOUTS:
            if layout.fits(path):
                return layout.read(path)
    known = [
        "NAME.jsonl or NAME.jsonl.zst (one labelled page per line)",
        *(each.LAYOUT for each in LAYOUTS),
    ]
    raise ValueError("\n".join([f"{path}: unknown layout; it must be one of:", *known]))
