"""Scores results while more results come in."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import NamedTuple

from evaluation.metrics import TEXT_METRICS, Confusion
from evaluation.metrics.words import snippets_found
from evaluation.pages import Gold
from evaluation.results import PageKey, Result

# Results per batch sent to a scoring process, and pending batches per process.
_BATCH = 16
_UNDER_WAY = 4

_FAILED = (0.0, 0.0, 0.0)


class Scored(NamedTuple):
    """One method's scores on one page.

    scores: precision, recall and F1 for each metric; zeros for a page that failed; None if only
        snippets of the page's main content are known.
    seconds, failure: see Result.
    decisions: about the snippets; a wanted one is positive, and predicted if it is in the text.
    """

    page: PageKey
    method: str
    scores: tuple[tuple[float, float, float], ...] | None
    seconds: float | None
    failure: str | None
    decisions: Confusion = Confusion()

    @property
    def snippets(self) -> tuple[float | None, float | None]:
        """The shares of the wanted and of the unwanted snippets in the text; None if the page has
        none.
        """
        of = self.decisions
        return _share(of.tp, of.fn), _share(of.fp, of.tn)


def score(result: Result, gold: Gold, metrics: tuple[str, ...]) -> Scored:
    """Score one result with these metrics (see ``evaluation.metrics``)."""
    scores: tuple[tuple[float, float, float], ...] | None
    if gold.text is None:
        scores = None
    elif result.failure is None:
        made = [TEXT_METRICS[metric](result.text, gold.text) for metric in metrics]
        scores = tuple((each.precision, each.recall, each.f1) for each in made)
    else:
        scores = (_FAILED,) * len(metrics)
    decisions = _decisions(result.text, gold)
    return Scored(result.page, result.method, scores, result.seconds, result.failure, decisions)


def score_all(
    results: Iterable[Result],
    golds: Mapping[PageKey, Gold],
    metrics: tuple[str, ...],
    *,
    processes: int = 1,
) -> Iterator[tuple[Result, Scored]]:
    """Score results as they come in, in order; with several processes, in parallel."""
    if processes == 1:
        for result in results:
            yield result, score(result, golds[result.page], metrics)
        return
    # Not forked, because libraries of the caller may have threads.
    context = multiprocessing.get_context("spawn")
    under_way: deque[tuple[list[Result], Future[list[Scored]]]] = deque()
    with ProcessPoolExecutor(processes, context, initializer=_leave_interrupts) as pool:
        try:
            source = iter(results)
            while (batch := list(islice(source, _BATCH))) or under_way:
                if batch:
                    pairs = [(result, golds[result.page]) for result in batch]
                    under_way.append((batch, pool.submit(_score_batch, pairs, metrics)))
                if not batch or len(under_way) > _UNDER_WAY * processes:
                    done, future = under_way.popleft()
                    yield from zip(done, future.result(), strict=True)
        finally:
            pool.shutdown(cancel_futures=True)


def _score_batch(pairs: list[tuple[Result, Gold]], metrics: tuple[str, ...]) -> list[Scored]:
    return [score(result, gold, metrics) for result, gold in pairs]


def _leave_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _decisions(text: str, gold: Gold) -> Confusion:
    kept = snippets_found(text, gold.must_have)
    wrongly_kept = snippets_found(text, gold.must_not_have)
    return Confusion(
        tp=kept,
        fp=wrongly_kept,
        fn=len(gold.must_have) - kept,
        tn=len(gold.must_not_have) - wrongly_kept,
    )


def _share(found: int, missing: int) -> float | None:
    return found / (found + missing) if found + missing else None
