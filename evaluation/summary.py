"""Averages over pages, for the tables, the JSON file and the report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from evaluation.bootstrap import mean_intervals
from evaluation.metrics import Confusion
from evaluation.pages import Gold
from evaluation.results import TIMEOUT, PageKey
from evaluation.scoring import Scored

Dimension = Literal["all", "genre", "lang", "set", "gold"]
DIMENSIONS: tuple[Dimension, ...] = ("genre", "lang", "set", "gold")


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
    precision, recall, f1: of all snippets together, as in trafilatura's evaluation: a wanted one in
        the text is a true positive, one that is missing a false negative, an unwanted one in the
        text a false positive. None if no page has any.
    """

    with_rate: float | None
    without_rate: float | None
    pages: int
    precision: float | None
    recall: float | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Cell:
    """One method on one group of pages.

    gold_pages: the pages whose main content is known; of the others only snippets are.
    scores: by metric, over ``gold_pages``; empty if there are none. Pages that failed count as
        zero.
    median_seconds, p95_seconds: per page, with timeouts at the limit; None without any times.
    timeouts, failures: pages without a result; failures are all but the timeouts.
    """

    pages: int
    gold_pages: int
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
    scores: dict[str, dict[PageKey, Scored]] = {method: {} for method in methods}
    for score in scored:
        scores[score.method][score.page] = score
    cells: dict[Dimension, dict[str, dict[str, Cell]]] = {}
    for dimension in ("all", *dimensions):
        groups = _groups(golds, dimension)
        cells[dimension] = {name: _cells(scores, groups[name], metrics) for name in groups}
    return Summary(methods, metrics, len(golds), cells)


def _groups(golds: Mapping[PageKey, Gold], dimension: Dimension) -> dict[str, list[PageKey]]:
    """The pages of each group of a dimension, the largest group first."""
    group_of: dict[Dimension, Callable[[PageKey], str]] = {
        "all": lambda page: "all",
        "genre": lambda page: golds[page].genre,
        "lang": lambda page: golds[page].lang,
        "set": lambda page: page.set,
        "gold": lambda page: golds[page].held,
    }
    groups: defaultdict[str, list[PageKey]] = defaultdict(list)
    for page in golds:
        groups[group_of[dimension](page)].append(page)
    return dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))


def _cells(
    scores: Mapping[str, Mapping[PageKey, Scored]],
    pages: list[PageKey],
    metrics: tuple[str, ...],
) -> dict[str, Cell]:
    """The cells of one group. Methods with the same pages share their resamples."""
    together: defaultdict[tuple[PageKey, ...], list[str]] = defaultdict(list)
    for method, by_page in scores.items():
        together[tuple(page for page in pages if page in by_page)].append(method)
    together.pop((), None)
    cells: dict[str, Cell] = {}
    for found, methods in together.items():
        rows = [[scores[method][page] for page in found] for method in methods]
        for method, row, averages in zip(methods, rows, _averages(rows, metrics), strict=True):
            cells[method] = _cell(row, averages)
    return {method: cells[method] for method in scores if method in cells}


def _averages(rows: list[list[Scored]], metrics: tuple[str, ...]) -> Iterator[dict[str, Average]]:
    """The averages of every method over the pages with gold text, which are the same for all."""
    known = [[score.scores for score in row if score.scores is not None] for row in rows]
    if not known[0]:
        yield from ({} for _ in rows)
        return
    # Methods × pages × metrics × (precision, recall, F1).
    values = np.array(known)
    f1 = np.concatenate(values[..., 2], axis=1)
    intervals = np.split(mean_intervals(f1), len(rows), axis=1)
    for means, ends in zip(values.mean(axis=1).tolist(), intervals, strict=True):
        yield {
            metric: Average(precision, recall, mean_f1, (low, high))
            for metric, (precision, recall, mean_f1), (low, high) in zip(
                metrics, means, ends.T.tolist(), strict=True
            )
        }


def _cell(scored: list[Scored], averages: dict[str, Average]) -> Cell:
    with_rates, without_rates = zip(*(score.snippets for score in scored), strict=True)
    seconds = [score.seconds for score in scored if score.seconds is not None]
    median, p95 = np.quantile(seconds, [0.5, 0.95]).tolist() if seconds else (None, None)
    failures = Counter(score.failure for score in scored)
    return Cell(
        len(scored),
        sum(score.scores is not None for score in scored),
        averages,
        Snippets(
            _mean(with_rates),
            _mean(without_rates),
            sum(score.snippets != (None, None) for score in scored),
            *_pooled(scored),
        ),
        median,
        p95,
        failures[TIMEOUT],
        failures.total() - failures[TIMEOUT] - failures[None],
    )


def _pooled(scored: list[Scored]) -> tuple[float | None, float | None, float | None]:
    """Precision, recall and F1 of the snippets of all pages together."""
    decisions = sum((score.decisions for score in scored), Confusion())
    if decisions == Confusion():
        return None, None, None
    score = decisions.score
    return score.precision, score.recall, score.f1


def _mean(rates: Iterable[float | None]) -> float | None:
    known = [rate for rate in rates if rate is not None]
    return float(np.mean(known)) if known else None
