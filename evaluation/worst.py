"""The pages that each method did worst on, for people to look at."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from evaluation.pages import Gold
from evaluation.results import PageKey, Result
from evaluation.scoring import Scored


class Bad(NamedTuple):
    """A result and what it scored by the main metric."""

    result: Result
    precision: float
    recall: float
    f1: float


class Worst:
    """Keeps the ``count`` worst results of every method as they pass by.

    Of pages with equal F1 those with the longer gold are worse: more was lost. A page whose gold
    is empty teaches little.
    """

    def __init__(self, count: int, golds: Mapping[PageKey, Gold]) -> None:
        self._count = count
        self._golds = golds
        # Heaps whose top is the least bad, to be pushed out next.
        self._heaps: dict[str, list[tuple[tuple[float, int, PageKey], Bad]]] = {}

    def watch(self, scored: Iterable[tuple[Result, Scored]]) -> Iterator[Scored]:
        """Pass the scores on, keeping the worst."""
        for result, score in scored:
            self._add(result, score)
            yield score

    def of(self, method: str) -> list[Bad]:
        """The worst results of a method, the worst first."""
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
