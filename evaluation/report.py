"""The HTML report: the tables, and the worst pages of each method with a word diff."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from corpus_commons.pages import pages_in
from evaluation.difference import stretches
from evaluation.pages import Gold
from evaluation.results import PageKey, Result
from evaluation.scoring import Scored
from evaluation.summary import Summary
from evaluation.tables import NOTHING, tables

# Longer gold text is truncated; the diff above it is more complete.
_GOLD_CHARACTERS = 20_000


class WorstPages:
    """Keeps the ``count`` worst results of every method.

    Of pages with equal F1, those with longer gold text are worse, because more was lost. Pages
    without gold text are left out.
    """

    def __init__(self, count: int, golds: Mapping[PageKey, Gold]) -> None:
        self._count = count
        self._golds = golds
        # Heaps with the least bad result on top, which is replaced next.
        self._heaps: dict[str, list[tuple[tuple[float, int, PageKey], Result, Scored]]] = {}

    def add(self, result: Result, score: Scored) -> None:
        gold = self._golds[result.page].text
        if gold is None or score.scores is None:
            return
        _, _, f1 = score.scores[0]
        badness = (-f1, len(gold), result.page)
        heap = self._heaps.setdefault(result.method, [])
        heapq.heappush(heap, (badness, result, score))
        if len(heap) > self._count:
            heapq.heappop(heap)

    def of(self, method: str) -> list[tuple[Result, Scored]]:
        """The worst results of a method and their scores, worst first."""
        heap = sorted(self._heaps.get(method, []), reverse=True)
        return [(result, score) for _, result, score in heap]


def report(
    summary: Summary, worst: WorstPages, golds: Mapping[PageKey, Gold], facts: Mapping[str, object]
) -> Iterator[str]:
    """The report, piece by piece.

    facts: the settings of the run, for the header; None and empty values are not shown.
    """
    template = pages_in(Path(__file__).parent).get_template("report.html")
    return template.generate(
        facts={"pages": f"{summary.pages:,}", **_shown(facts)},
        tables=tables(summary),
        worst={method: pages for method in summary.methods if (pages := worst.of(method))},
        golds=golds,
        gold_characters=_GOLD_CHARACTERS,
        stretches=stretches,
        is_web_address=_is_web_address,
        time=_time,
    )


def _shown(facts: Mapping[str, object]) -> dict[str, str]:
    return {
        name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in facts.items()
        if value not in (None, [], "")
    }


def _is_web_address(url: str) -> bool:
    """Only these become links, because data sets are not trusted."""
    try:
        return urlsplit(url).scheme in {"http", "https"}
    except ValueError:
        return False


def _time(seconds: float | None) -> str:
    return NOTHING if seconds is None else f"{1000 * seconds:.0f} ms"
