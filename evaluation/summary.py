"""Averages over pages, for the tables, the JSON file and the report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from evaluation.bootstrap import mean_intervals
from evaluation.pages import Gold
from evaluation.results import TIMEOUT, PageKey
from evaluation.scoring import Scored

Dimension = Literal["all", "genre", "lang", "set"]
DIMENSIONS: tuple[Dimension, ...] = ("genre", "lang", "set")

_BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Average:
    """Means over pages (macro averages), in [0, 1]; the interval is that of f1 (see bootstrap)."""

    precision: float
    recall: float
    f1: float
    f1_interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Snippets:
    """Mean shares of the wanted snippets that are in the text (higher is better), and of the
    unwanted ones (lower is better); None if no page has any.

    pages: the number of pages with snippets.
    """

    with_rate: float | None
    without_rate: float | None
    pages: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One method on one group of pages.

    scores: by metric; pages that failed count as zero.
    median_seconds, p95_seconds: per page, with timeouts at the limit; None without any times.
    timeouts, failures: pages without a result; failures are all but the timeouts.
    """

    pages: int
    scores: dict[str, Average]
    snippets: Snippets
    median_seconds: float | None
    p95_seconds: float | None
    timeouts: int
    failures: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All cells: dimension -> group -> method. The dimension ``all`` has only the group ``all``.

    A method without results on a group has no cell there.
    """

    methods: tuple[str, ...]
    metrics: tuple[str, ...]
    pages: int
    cells: dict[Dimension, dict[str, dict[str, Cell]]]

    def as_dict(self) -> dict[str, Any]:
        """The summary for JSON, cells at ``cells[dimension][group][method]``."""
        return asdict(self)


def summarise(
    scored: Iterable[Scored],
    golds: Mapping[PageKey, Gold],
    methods: tuple[str, ...],
    metrics: tuple[str, ...],
    dimensions: Iterable[Dimension] = (),
) -> Summary:
    """Average the scores of every method over all pages and over the groups of each dimension.

    The order of the scores does not matter. metrics: those of each Scored.
    """
    position = {page: number for number, page in enumerate(golds)}
    columns = {method: _Column(len(golds), len(metrics)) for method in methods}
    for score in scored:
        columns[score.method].put(position[score.page], score)
    cells: dict[Dimension, dict[str, dict[str, Cell]]] = {}
    for dimension in ("all", *dimensions):
        cells[dimension] = {
            group: _cells(columns, members, metrics) for group, members in _groups(golds, dimension)
        }
    return Summary(methods, metrics, len(golds), cells)


class _Column:
    """One method's scores by page, in the order of the gold."""

    def __init__(self, pages: int, metrics: int) -> None:
        self.present: _BoolArray = np.zeros(pages, dtype=np.bool_)
        self.scores = np.zeros((pages, metrics, 3))
        self.snippets = np.full((pages, 2), np.nan)
        self.seconds = np.full(pages, np.nan)
        self.timed_out: _BoolArray = np.zeros(pages, dtype=np.bool_)
        self.failed: _BoolArray = np.zeros(pages, dtype=np.bool_)

    def put(self, row: int, score: Scored) -> None:
        self.present[row] = True
        self.scores[row] = score.scores
        self.snippets[row] = [np.nan if rate is None else rate for rate in score.snippets]
        self.seconds[row] = np.nan if score.seconds is None else score.seconds
        self.timed_out[row] = score.failure == TIMEOUT
        self.failed[row] = score.failure not in {None, TIMEOUT}

    def cell(
        self,
        rows: _BoolArray,
        metrics: tuple[str, ...],
        intervals: npt.NDArray[np.float64],
    ) -> Cell:
        means = self.scores[rows].mean(axis=0)
        averages = {}
        for number, metric in enumerate(metrics):
            precision, recall, f1 = means[number].tolist()
            low, high = intervals[:, number].tolist()
            averages[metric] = Average(precision, recall, f1, (low, high))
        seconds = self.seconds[rows]
        seconds = seconds[~np.isnan(seconds)]
        median, p95 = np.quantile(seconds, [0.5, 0.95]).tolist() if seconds.size else (None, None)
        return Cell(
            int(rows.sum()),
            averages,
            _snippets(self.snippets[rows]),
            median,
            p95,
            int(self.timed_out[rows].sum()),
            int(self.failed[rows].sum()),
        )


def _snippets(rates: npt.NDArray[np.float64]) -> Snippets:
    known = ~np.isnan(rates)
    means = [
        float(rates[known[:, side], side].mean()) if known[:, side].any() else None
        for side in (0, 1)
    ]
    return Snippets(means[0], means[1], int(known.any(axis=1).sum()))


def _cells(
    columns: Mapping[str, _Column], members: _BoolArray, metrics: tuple[str, ...]
) -> dict[str, Cell]:
    """The cells of one group. Methods with the same pages share their resamples."""
    together: dict[bytes, list[str]] = {}
    for method, column in columns.items():
        rows = column.present & members
        if rows.any():
            together.setdefault(rows.tobytes(), []).append(method)
    cells: dict[str, Cell] = {}
    for methods in together.values():
        rows = columns[methods[0]].present & members
        f1 = np.concatenate([columns[method].scores[rows][:, :, 2] for method in methods], axis=1)
        intervals = np.split(mean_intervals(f1), len(methods), axis=1)
        for method, interval in zip(methods, intervals, strict=True):
            cells[method] = columns[method].cell(rows, metrics, interval)
    return {method: cells[method] for method in columns if method in cells}


def _groups(
    golds: Mapping[PageKey, Gold], dimension: Dimension
) -> Iterator[tuple[str, _BoolArray]]:
    """The groups of a dimension, largest first, with the pages in each."""
    if dimension == "all":
        labels = ["all"] * len(golds)
    elif dimension == "set":
        labels = [page.set for page in golds]
    else:
        labels = [gold.genre if dimension == "genre" else gold.lang for gold in golds.values()]
    members = np.array(labels)
    names, counts = np.unique(members, return_counts=True)
    for number in np.argsort(-counts, kind="stable"):
        yield str(names[number]), members == names[number]
