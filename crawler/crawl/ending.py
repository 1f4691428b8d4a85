"""What the counts of a crawl say of how it ended."""

from __future__ import annotations

from crawler.frontier.stats import Stats
from crawler.outcomes import FAILED, PRIVATE_ADDRESS


def nothing_fetched(stats: Stats) -> bool:
    """Whether no visit of the run got an answer, though there was something to visit.

    >>> from crawler.frontier.stats import RunStats
    >>> down = RunStats(outcomes={"failed: timeout": 2}, has_leased=True)
    >>> nothing_fetched(Stats(added=9, run=down)), nothing_fetched(Stats(added=9))
    (True, False)
    """
    run = stats.run
    answers = sum(count for outcome, count in run.outcomes.items() if _is_answer(outcome))
    return not answers and (run.has_leased or stats.left > 0 or not stats.added)


def _is_answer(outcome: str) -> bool:
    return outcome != PRIVATE_ADDRESS and not outcome.startswith(FAILED)
