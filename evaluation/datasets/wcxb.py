"""The layout of the Web Content Extraction Benchmark (WCXB).

https://github.com/Murrough-Foley/web-content-extraction-benchmark: each of ``dev/`` and ``test/``
has ``ground-truth/ID.json`` and ``html/ID.html.gz``. ``path`` may be the whole repository or one
split. A page's genre is its primary page type; ``category`` becomes ``collection``, and a page
without a type is an article, as in the benchmark's own script.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation.datasets.files import read_object, read_text
from extraction.labelled import LabelledPage

LAYOUT = "ground-truth/*.json and html/*.html.gz, or dev/ and test/ with these (WCXB)"

_SPLITS = ("dev", "test")
# Fields of the ground truth, and their names in LabelledPage.meta.
_META = {"title": "title", "author": "author", "publish_date": "date"}


def fits(path: Path) -> bool:
    return bool(_splits(path))


def read(path: Path) -> Iterator[LabelledPage]:
    """The pages of all splits under ``path``, by id."""
    for folder in _splits(path):
        for truth in sorted((folder / "ground-truth").glob("*.json")):
            yield _labelled(folder, truth)


def _splits(path: Path) -> list[Path]:
    """The folders of the splits at or in ``path``; none if it is not a WCXB folder."""
    folders = [path, *(path / split for split in _SPLITS)]
    return [
        folder
        for folder in folders
        if (folder / "ground-truth").is_dir() and (folder / "html").is_dir()
    ]


def _labelled(folder: Path, truth_file: Path) -> LabelledPage:
    identifier = truth_file.stem
    record = read_object(truth_file)
    truth = record.get("ground_truth")
    if not isinstance(truth, dict):
        raise ValueError(f"{truth_file}: no ground_truth")
    html = folder / "html" / f"{identifier}.html.gz"
    if not html.is_file():
        raise ValueError(f"{truth_file}: its page {html} is missing")
    return LabelledPage(
        id=identifier,
        html=read_text(html),
        gold_text=_text(truth.get("main_content")),
        url=record.get("url"),
        genre=_genre(record),
        split=folder.name if folder.name in _SPLITS else None,
        must_have=_snippets(truth.get("with")),
        must_not_have=_snippets(truth.get("without")),
        meta={name: truth[key] for key, name in _META.items() if truth.get(key)},
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _snippets(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _genre(record: dict[str, Any]) -> str:
    internal = record.get("_internal") or {}
    page_type = internal.get("page_type") if isinstance(internal, dict) else None
    if isinstance(page_type, dict):
        page_type = page_type.get("primary")
    genre = page_type if isinstance(page_type, str) else "article"
    return "collection" if genre == "category" else genre
