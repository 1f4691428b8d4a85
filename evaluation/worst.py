"""The worst pages of each method, for the report."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from evaluation.pages import Gold
from evaluation.results import PageKey, Result
from evaluation.scoring import Scored


class Bad(NamedTuple):
    """A result and its score by the main metric."""

    result: Result
    precision: float
    recall: float
    f1: float


class Worst:
    """Keeps the ``count`` worst results of every method.

    Of pages with equal F1, those with longer gold text are worse, because more was lost.
    """

    def __init__(self, count: int, golds: Mapping[PageKey, Gold]) -> None:
        self._count = count
        self._golds = golds
        # Heaps with the least bad result on top, which is replaced next.
        self._heaps: dict[str, list[tuple[tuple[float, int, PageKey], Bad]]] = {}

    def watch(self, scored: Iterable[tuple[Result, Scored]]) -> Iterator[Scored]:
        """Pass the scores on, keeping the worst results."""
        for result, score in scored:
            self._add(result, score)
            yield score

    def of(self, method: str) -> list[Bad]:
        """The worst results of a method, worst first."""
        return [bad for _, bad in sorted(self._heaps.get(method, []), reverse=True)]

    def _add(self, result: Result, score: Scored) -> None:
        if not self._count:
            return
        precision, recall, f1 = score.scores[0]
        badness = (-f1, len(self._golds[result.page].text), result.page)
        heap = self._heaps.setdefault(result.method, [])
        entry = (badness, Bad(result, precision, recall, f1))
        if len(heap) < self._count:
            heapq.heappush(heap, entry)
        else:
            heapq.heappushpop(heap, entry)
