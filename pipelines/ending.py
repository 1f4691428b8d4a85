"""How a run ended, and what can be done about it."""

from __future__ import annotations

import json
import math

from crawler.frontier.base import Stats
from crawler.verdicts import PRIVATE_ADDRESS, nothing_fetched
from pipelines.summary import Summary, pages_of
from settings.tables.limits import Limits

_AGAIN = "the same command goes on with the job"


def ending(summary: Summary) -> str:
    """In a sentence."""
    left = _left(summary)
    if summary.failure:
        return f"ended early: {summary.failure}; {_AGAIN}"
    if summary.job_stopped:
        resumed = f"after `scrapy frontier resume` {_AGAIN}"
        return f"stopped for all workers: {left:,} URLs are left; {resumed}"
    if summary.stopped:
        return f"stopped early: {left:,} URLs are left, and {_AGAIN}"
    if nothing_fetched(summary.frontier):
        return f"not one URL could be fetched: {'; '.join(_hindrances(summary))}"
    if left:
        return f"{_limit(summary)} is reached: {left:,} URLs are left unvisited"
    return "finished: every URL is done or given up"


def limit_reached(limits: Limits, urls: Stats, seconds: float) -> str | None:
    """The limit of the job for which URLs are left, as its file has it; None if there is none.

    >>> limit_reached(Limits(pages=5), Stats(outcomes={"kept": 3, "rejected: empty": 2}), 60.0)
    'limits.pages = 5'
    >>> limit_reached(Limits(total_time="1h"), Stats(outcomes={"kept": 3}), 3600.0)
    'limits.total_time = "1h"'
    """
    amounts = {
        "pages": pages_of(urls.outcomes) + urls.leased,
        "total_size": urls.received,
        "total_time": seconds,
        # If it is none of the others.
        "pages_per_host": math.inf,
    }
    for name, amount in amounts.items():
        most = getattr(limits, name)
        if most is not None and amount >= most:
            return f"limits.{name} = {json.dumps(limits.model_dump(mode='json')[name])}"
    return None


def _limit(summary: Summary) -> str:
    return summary.limit or "a limit"


def _left(summary: Summary) -> int:
    return summary.frontier.queued + summary.frontier.leased


def _hindrances(summary: Summary) -> list[str]:
    """What stood in the way of every URL, and what helps."""
    urls = summary.frontier
    if not urls.added:
        return ["no seed could be used; the log says why"]
    private, left = urls.outcomes.get(PRIVATE_ADDRESS, 0), _left(summary)
    found = {
        f"{private:,} lead into a private network, where nothing is dialled": private,
        f"{urls.dead:,} are given up: `scrapy frontier stats` says why, `scrapy frontier retry` "
        "puts them back into the queue": urls.dead,
        f"{urls.purged:,} were given up and thrown away": urls.purged,
        f"{left:,} are left when {_limit(summary)} is reached": left,
    }
    return [words for words, count in found.items() if count]
