"""A frontier that tests tell stories with: its time stands still, and its calls come to an end."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from crawler.frontier import Candidate, Frontier, Lease, Policy, Stats


class Clock:
    """Seconds since 1970, as the test wants them."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += seconds


class Blocking:
    """A frontier whose coroutines run to their end when called, so that tests read as a story."""

    def __init__(self, frontier: Frontier, runner: asyncio.Runner) -> None:
        self.frontier = frontier
        self._runner = runner

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method: Callable[..., Coroutine[Any, Any, Any]] = getattr(self.frontier, name)
        return lambda *args, **options: self._runner.run(method(*args, **options))

    def add_urls(self, *urls: str, **of_each: Any) -> int:
        added: int = self.add([Candidate(url, **of_each) for url in urls])
        return added


# make(policy) -> a new, empty frontier on the test's clock, closed at the end of the test
Make = Callable[[Policy], Blocking]

EAGER = Policy(delay=0, visits_per_host=1000, tries=3, losses=3, first_backoff=10)
POLITE = Policy(delay=10, visits_per_host=1)


def pages(host: str, count: int) -> list[str]:
    return [f"http://{host}/{number}" for number in range(count)]


def candidates(host: str, count: int) -> list[Candidate]:
    return [Candidate(url) for url in pages(host, count)]


def urls(leases: list[Lease]) -> list[str]:
    return [lease.url for lease in leases]


def accounted(stats: Stats) -> bool:
    return stats.added == stats.queued + stats.leased + stats.done + stats.dead + stats.purged
