"""Labelled pages in a folder.

A folder has ``labels.jsonl`` (one line per page: ``id``, ``genre`` or ``goce``, ``page_type``, and
any columns to group by, such as ``repo``), ``shots/ID.jpg`` (or ``.png``), and, for classification
by HTML, ``html.jsonl.zst`` (``id``, ``html``).
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from genre_model.labels import genre_of, page_type_of, unknown_names
from genre_model.page_files import SCREENSHOT_SUFFIXES

_log = logging.getLogger(__name__)

_NAMES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled page.

    id: names its files.
    genre: one of GENRES, or None if neither fits.
    page_type: one of PAGE_TYPES, or None if unknown.
    record: the whole line of labels.jsonl.
    """

    id: str
    genre: str | None
    page_type: str | None
    record: Mapping[str, object]

    def said(self, column: str) -> str | None:
        """The value of a column as a string, including 0 and false; None if missing or ""."""
        value = self.record.get(column)
        return None if value in (None, "") else str(value)

    def site(self, column: str) -> str:
        """The value of the column; a page without one is a site of its own."""
        return self.said(column) or self.id


def labels_file(data: Path) -> Path:
    """The file with the labels: of a folder, or such a file itself."""
    return data if data.is_file() else data / "labels.jsonl"


def read_samples(data: Path) -> list[Sample]:
    """The labelled pages of a folder, in the order of labels.jsonl; or those of such a file.

    Unknown names of labels are ignored with a warning.
    Raises ValueError, naming file and line, for a line that is not a page, or a repeated page,
    which could be both in the training and in the test data.
    """
    path = labels_file(data)
    if not path.is_file():
        raise ValueError(f"{path}: no such file; it must have one line per page")
    with path.open("rb") as lines:
        samples = [_sample(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]
    first: dict[str, int] = {}
    for number, sample in enumerate(samples, 1):
        if (before := first.setdefault(sample.id, number)) != number:
            raise ValueError(f"{path}:{number}: page {sample.id} is already on line {before}")
    unknown = Counter(name for sample in samples for name in unknown_names(sample.record))
    if unknown:
        shown = ", ".join(f"{name} ({pages})" for name, pages in unknown.most_common(_NAMES_SHOWN))
        _log.warning("%s: unknown labels, with their number of pages: %s", path, shown)
    return samples


def check_labelled(data: Path, samples: Sequence[Sample]) -> None:
    """Raises ValueError if no page has a known label."""
    if all(sample.genre is None and sample.page_type is None for sample in samples):
        raise ValueError(
            f"{labels_file(data)}: no page has a known genre or page type; "
            "docs/reference/page-types.md lists them"
        )


def check_columns(samples: Sequence[Sample], columns: Sequence[str]) -> None:
    """Raises ValueError for a column that no page has."""
    for column in columns:
        if not _is_used(column, samples):
            known = sorted({name for sample in samples for name in sample.record} - {"html"})
            raise ValueError(f"no page has a column {column}; there are {', '.join(known)}")


def check_sites(samples: Sequence[Sample], column: str) -> None:
    """Warn if no page has the column with the site, for example because it is mistyped."""
    if not _is_used(column, samples):
        _log.warning("no page has a column %s: each page counts as a site of its own", column)


def sites_of(samples: Sequence[Sample], column: str) -> list[str]:
    """The site of every page, from this column; see ``check_sites``."""
    check_sites(samples, column)
    return [sample.site(column) for sample in samples]


def additional_samples(
    folder: Path, column: str, sites: Sequence[str]
) -> tuple[list[Sample], list[str]]:
    """Pages to train on besides those of ``sites``, and their own sites.

    Raises ValueError if they share a site, whose pages would be both training and test data.
    """
    samples = read_samples(folder)
    own = sites_of(samples, column)
    if shared := sorted({*own} & {*sites}):
        raise ValueError(f"{folder}: site {shared[0]} is in both the data and the additional pages")
    return samples, own


def shot_path(folder: Path, page_id: str) -> Path:
    """The screenshot's file. Raises ValueError if there is none."""
    for suffix in SCREENSHOT_SUFFIXES:
        path = folder / "shots" / f"{page_id}{suffix}"
        if path.is_file():
            return path
    raise ValueError(f"{folder / 'shots'}: no {page_id}.jpg, .jpeg or .png")


def _is_used(column: str, samples: Sequence[Sample]) -> bool:
    return any(sample.said(column) is not None for sample in samples)


def _sample(line: bytes, where: str) -> Sample:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{where}: not JSON: {error}") from error
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise ValueError(f'{where}: expected an object with an "id", got {line[:80]!r}')
    return Sample(record["id"], genre_of(record), page_type_of(record), record)
