"""Labelled screenshots in a folder, and their folds.

A folder holds ``labels.jsonl`` (a line a page: ``id``, ``genre`` or ``goce``, ``page_type``, and
any columns to group by, such as ``repo``), ``shots/ID.jpg`` (or ``.png``), and where HTML is
wanted ``html.jsonl.zst`` (``id``, ``html``).
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import orjson

from genre_model.labels import genre_of, page_type_of, unknown_names

_log = logging.getLogger(__name__)

_NAMES_SHOWN = 10
_LEAST_FOLDS = 2
_SUFFIXES = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled page.

    id: names its files.
    genre: one of GENRES, or None where neither fits.
    page_type: one of PAGE_TYPES, or None where it is not known.
    record: the whole line of labels.jsonl.
    """

    id: str
    genre: str | None
    page_type: str | None
    record: Mapping[str, object]

    def said(self, column: str) -> str | None:
        """What the column says, also where it is 0 or false; None for nothing and for ""."""
        value = self.record.get(column)
        return None if value in (None, "") else str(value)

    def site(self, column: str) -> str:
        """What the column says; a page that it says nothing of is a site of its own."""
        return self.said(column) or self.id


def read_samples(folder: Path) -> list[Sample]:
    """The labelled pages of a folder, in the order of labels.jsonl.

    Names of labels that are not known are passed over, with a warning.
    Raises ValueError that names the file, the line and what is wrong with it, be it that the page
    has been on another line: on two sites it would be learnt from and judged.
    """
    path = folder / "labels.jsonl"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; a labelled folder has one line a page there")
    with path.open("rb") as lines:
        samples = [_sample(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]
    first: dict[str, int] = {}
    for number, sample in enumerate(samples, 1):
        if (before := first.setdefault(sample.id, number)) != number:
            raise ValueError(f"{path}:{number}: page {sample.id} is on line {before} already")
    unknown = Counter(name for sample in samples for name in unknown_names(sample.record))
    if unknown:
        shown = ", ".join(f"{name} ({pages})" for name, pages in unknown.most_common(_NAMES_SHOWN))
        _log.warning("%s: names that are no labels, and how many pages have them: %s", path, shown)
    return samples


def check_labelled(folder: Path, samples: Sequence[Sample]) -> None:
    """Raises ValueError where no page has a label that is known."""
    if all(sample.genre is None and sample.page_type is None for sample in samples):
        raise ValueError(
            f"{folder / 'labels.jsonl'}: no page has a genre or page type that is known; "
            "docs/genre/labels.md lists them"
        )


def check_sites(samples: Sequence[Sample], column: str) -> None:
    """Warns where no page has the column that names its site, as when it is mistyped."""
    if all(sample.said(column) is None for sample in samples):
        _log.warning("no page has a column %s: each counts as a site of its own", column)


def sites_of(samples: Sequence[Sample], column: str) -> list[str]:
    """The site of every page, by the column that names it; see ``check_sites``."""
    check_sites(samples, column)
    return [sample.site(column) for sample in samples]


def shot_path(folder: Path, page_id: str) -> Path:
    """The screenshot's file. Raises ValueError when there is none."""
    for suffix in _SUFFIXES:
        path = folder / "shots" / f"{page_id}{suffix}"
        if path.is_file():
            return path
    raise ValueError(f"{folder / 'shots'}: no {page_id}.jpg, .jpeg or .png")


def grouped_folds(groups: Sequence[str], count: int = 5, seed: int = 0) -> list[int]:
    """A fold for every sample; samples of one group share theirs, and folds are about equal.

    >>> folds = grouped_folds(["a", "b", "a", "c"], count=2)
    >>> folds[0] == folds[2]
    True
    """
    sizes = Counter(groups)
    names = sorted(sizes)
    random.Random(seed).shuffle(names)  # noqa: S311 - reproducible, not secret
    names.sort(key=lambda name: -sizes[name])
    totals = [0] * count
    fold_of: dict[str, int] = {}
    for name in names:
        fold = totals.index(min(totals))
        fold_of[name] = fold
        totals[fold] += sizes[name]
    return [fold_of[group] for group in groups]


def check_folds(head: str, known: npt.NDArray[np.bool_], folds: npt.NDArray[np.int64]) -> None:
    """Raises ValueError where some fold would have no other's labels to learn from.

    known: of every page, whether it has a label.
    """
    if len(np.unique(folds[known])) < _LEAST_FOLDS:
        raise ValueError(
            f"pages with a known {head.replace('_', ' ')} are needed in two folds at least; "
            f"{known.sum()} of {len(known)} pages have one"
        )


def _sample(line: bytes, where: str) -> Sample:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{where}: not JSON: {error}") from error
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise ValueError(f'{where}: expected an object with an "id", got {line[:80]!r}')
    return Sample(record["id"], genre_of(record), page_type_of(record), record)
