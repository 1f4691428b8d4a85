"""The layout of Scrapinghub's article-extraction-benchmark.

https://github.com/scrapinghub/article-extraction-benchmark: ``ground-truth.json`` has an object
``{"articleBody", "url"}`` per page, by id; the page is ``html/ID.html.gz``. All are articles.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpus_commons.markup.encoding import decode
from evaluation.datasets.files import read_bytes, read_object
from extraction.labelled import LabelledPage

LAYOUT = "ground-truth.json and html/*.html.gz (article-extraction-benchmark)"


def fits(path: Path) -> bool:
    return (path / "ground-truth.json").is_file() and (path / "html").is_dir()


def read(path: Path) -> Iterator[LabelledPage]:
    """The pages in the order of the ground truth."""
    truths = path / "ground-truth.json"
    for identifier, truth in read_object(truths).items():
        html = path / "html" / f"{identifier}.html.gz"
        if not isinstance(truth, dict):
            raise ValueError(f"{truths}: {identifier} is not an object")
        if html.parent != path / "html" or not html.is_file():
            raise ValueError(f"{truths}: page {html} is missing")
        yield LabelledPage(
            id=identifier,
            html=decode(read_bytes(html)),
            gold_text=str(truth.get("articleBody") or ""),
            url=truth.get("url"),
            genre="article",
        )
