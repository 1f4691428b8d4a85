"""The layout of Scrapinghub's article-extraction-benchmark.

https://github.com/scrapinghub/article-extraction-benchmark: ``ground-truth.json`` has an object
``{"articleBody", "url"}`` per page, by id; the page is ``html/ID.html.gz``. All are articles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpus_commons.markup.encoding import decode
from evaluation.datasets.files import read_bytes, read_object
from extraction.labelled import LabelledPage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def fits(path: Path) -> bool:
    """Whether ``path`` is a folder of this layout."""
    return (path / "ground-truth.json").is_file() and (path / "html").is_dir()


def read(path: Path) -> Iterator[LabelledPage]:
    """The pages in the order of the ground truth.

    Raises ValueError for a page whose HTML is missing or whose ground truth cannot be read.
    """
    for identifier, truth in read_object(path / "ground-truth.json").items():
        html = path / "html" / f"{identifier}.html.gz"
        if not isinstance(truth, dict):
            raise ValueError(f"{path / 'ground-truth.json'}: {identifier} is not an object")
        if html.parent != path / "html" or not html.is_file():
            raise ValueError(f"{path / 'ground-truth.json'}: page {html} is missing")
        yield LabelledPage(
            id=identifier,
            html=decode(read_bytes(html)),
            gold_text=str(truth.get("articleBody") or ""),
            url=truth.get("url"),
            genre="article",
        )
