"""Labelled screenshots in a folder, and their folds.

A folder holds ``labels.jsonl`` (a line a page: ``id``, ``genre`` or ``goce``, ``page_type``, and
any columns to group by, such as ``repo``), ``shots/ID.jpg`` (or ``.png``), and where HTML is
wanted ``html.jsonl.zst`` (``id``, ``html``).
"""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson
import zstandard

from genre_model.labels import genre_of, page_type_of

_WINDOW = 1 << 27
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


def read_samples(folder: Path) -> list[Sample]:
    """The labelled pages of a folder, in the order of labels.jsonl.

    Raises ValueError that names the file, the line and what is wrong with it.
    """
    path = folder / "labels.jsonl"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; a labelled folder has one line a page there")
    with path.open("rb") as lines:
        return [_sample(line, f"{path}:{number}") for number, line in enumerate(lines, 1)]


def shot_path(folder: Path, page_id: str) -> Path:
    """The screenshot's file. Raises ValueError when there is none."""
    for suffix in _SUFFIXES:
        path = folder / "shots" / f"{page_id}{suffix}"
        if path.is_file():
            return path
    raise ValueError(f"{folder / 'shots'}: no {page_id}.jpg, .jpeg or .png")


def read_html(folder: Path) -> Iterator[tuple[str, str]]:
    """Id and HTML of every page in html.jsonl.zst."""
    with (folder / "html.jsonl.zst").open("rb") as compressed:
        stream = zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(compressed)
        for line in io.BufferedReader(stream):
            page = orjson.loads(line)
            yield str(page["id"]), str(page["html"])


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


def _sample(line: bytes, where: str) -> Sample:
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{where}: not JSON: {error}") from error
    if not isinstance(record, dict) or not isinstance(record.get("id"), str):
        raise ValueError(f'{where}: expected an object with an "id", got {line[:80]!r}')
    return Sample(record["id"], genre_of(record), page_type_of(record), record)
