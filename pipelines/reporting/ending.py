"""How a run ended, and what the user can do next."""

from __future__ import annotations

import json
import math

from crawler.frontier.base import Stats
from crawler.outcomes import PRIVATE_ADDRESS, nothing_fetched
from pipelines.reporting.summary import Summary, pages_of
from settings.tables.limits import Limits

_AGAIN = "run the same command again to resume"


def ending(summary: Summary) -> str:
    """One sentence for the summary and the report."""
    left = _left(summary)
    if summary.failure:
        return f"ended early: {summary.failure}; {_AGAIN}"
    if summary.job_stopped:
        resumed = f"after `scrapy frontier resume`, {_AGAIN}"
        return f"stopped for all workers with {left:,} URLs left; {resumed}"
    if summary.stopped:
        return f"stopped early with {left:,} URLs left; {_AGAIN}"
    if nothing_fetched(summary.frontier):
        return f"no URL could be fetched: {'; '.join(_obstacles(summary))}"
    if left:
        return f"finished: {_limit(summary)} reached with {left:,} URLs left"
    return "finished: every URL is done or dead"


def limit_reached(limits: Limits, urls: Stats, seconds: float) -> str | None:
    """The limit that was reached, as written in the job file; None if none was.

    >>> limit_reached(Limits(pages=5), Stats(outcomes={"kept": 3, "rejected: empty": 2}), 60.0)
    'limits.pages = 5'
    >>> limit_reached(Limits(total_time="1h"), Stats(outcomes={"kept": 3}), 3600.0)
    'limits.total_time = "1h"'
    """
    amounts = {
        "pages": pages_of(urls.outcomes) + urls.leased,
        "total_size": urls.received,
        "total_time": seconds,
        # Blamed if set and none of the others was reached: counts per host are not known here.
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


def _obstacles(summary: Summary) -> list[str]:
    """Why no URL was fetched, and what helps."""
    urls = summary.frontier
    if not urls.added:
        return ["none of the seeds could be used, see the log"]
    private, left = urls.outcomes.get(PRIVATE_ADDRESS, 0), _left(summary)
    found = {
        f"{private:,} point into a private network, where connections are refused": private,
        f"{urls.dead:,} are dead: `scrapy frontier stats` shows why, `scrapy frontier retry` "
        "puts them back into the queue": urls.dead,
        f"{urls.purged:,} were dead and have been purged": urls.purged,
        f"{left:,} were left when {_limit(summary)} was reached": left,
    }
    return [words for words, count in found.items() if count]
