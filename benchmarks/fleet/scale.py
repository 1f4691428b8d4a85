"""How many workers one Redis can supply; the workers are processes that fetch nothing.

A page consists of a lease, a timer instead of the fetch, the end of the visit, the addition of its
links, and the acknowledgement. Other load on the machine slows this down, but not the CPU time that
Redis needs per page, whose inverse is the rate with one full core.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice, product
from typing import Final

import redis

from benchmarks.redis_process import empty_redis, processor_seconds
from benchmarks.report import Cell, Report
from crawler.frontier import Ack, Candidate, Lease, Policy
from crawler.frontier.redis import RedisFrontier

_WORKERS: Final = (1, 2, 4, 8)
_LINKS: Final = (0, 50)
# How many of a page's links are to new pages, and how many to other hosts.
_NEW: Final = 5
_ELSEWHERE: Final = 5
_CONCURRENCY: Final = 32
_FETCH_SECONDS: Final = 0.02
_SECONDS: Final = 6.0
_HOSTS: Final = 1_000
_PAGES_PER_HOST: Final = 60
# Pages/s of a fast worker without a browser, and of a slow one with a browser.
_PACES: Final = (300, 1)
_POLICY: Final = Policy(delay=0, visits_per_host=8, pages=None)


@dataclass(frozen=True, slots=True)
class Rate:
    """Pages per second of some workers, and CPU seconds of Redis per page."""

    pages: float
    core: float


def scale(report: Report) -> None:
    """Measure leases per second by number of workers, and the workers that this supplies."""
    columns = {
        "links per page": "",
        "workers": "d",
        "pages/s": ",.0f",
        "Redis, µs per page": ",.0f",
        "share of its core": ".0%",
        "pages/s with a full core": ",.0f",
        **{f"workers at {pace}/s": ",.0f" for pace in _PACES},
    }
    report.table("scale", columns, _rows())


def _rows() -> Iterator[tuple[Cell, ...]]:
    for links, workers in product(_LINKS, _WORKERS):
        rate = _measured(workers, links)
        most = 1 / rate.core
        share = rate.pages * rate.core
        supplied = (most / pace for pace in _PACES)
        yield (str(links), workers, rate.pages, rate.core * 1e6, share, most, *supplied)


def _measured(workers: int, links: int) -> Rate:
    context = multiprocessing.get_context("spawn")
    with empty_redis() as url:
        client = redis.Redis.from_url(url)
        asyncio.run(_fill(url))
        ready = context.Barrier(workers + 1)
        pages = context.Value("q", 0)
        fleet = [
            context.Process(target=_work, args=(url, number, links, ready, pages))
            for number in range(workers)
        ]
        for worker in fleet:
            worker.start()
        ready.wait()
        began, core = time.monotonic(), processor_seconds(client)
        for worker in fleet:
            worker.join()
        took, core = time.monotonic() - began, processor_seconds(client) - core
        if any(worker.exitcode for worker in fleet):
            raise RuntimeError("a worker has failed; see above")
        return Rate(pages.value / took, core / pages.value)


async def _fill(url: str) -> None:
    async with await RedisFrontier.open(url, "scale", _POLICY) as frontier:
        await frontier.add(
            _candidate(_host(host), page)
            for page in range(_PAGES_PER_HOST)
            for host in range(_HOSTS)
        )


def _host(number: int) -> str:
    return f"www.site-{number:06}.example"


def _candidate(host: str, page: int) -> Candidate:
    return Candidate(f"https://{host}/news/2026/{page % 12 + 1:02}/a-headline-of-words-{page:012}")


def _links_of(host: str, links: int, new: Iterator[int], chance: random.Random) -> list[Candidate]:
    """A page's links: most lead to known pages of its own host."""
    inside = links - _NEW - _ELSEWHERE
    elsewhere = [_host(number) for number in chance.choices(range(_HOSTS), k=_ELSEWHERE)]
    hosts = [host] * inside + elsewhere
    known = [_candidate(name, chance.randrange(_PAGES_PER_HOST)) for name in hosts]
    return known + [_candidate(host, page) for page in islice(new, _NEW)]


def _work(url: str, number: int, links: int, ready: object, pages: object) -> None:
    asyncio.run(_crawl(url, number + 1, links, ready, pages))


async def _crawl(url: str, number: int, links: int, ready: object, pages: object) -> None:
    # Pages that no other worker finds.
    new, chance = count(number * 10**10), random.Random(number)

    async def visit(frontier: RedisFrontier, lease: Lease) -> None:
        await asyncio.sleep(_FETCH_SECONDS)
        await frontier.fetched([lease])
        if links:
            await frontier.add(_links_of(lease.host, links, new, chance))

    done = 0
    async with await RedisFrontier.open(url, "scale", _POLICY, worker=f"w{number}") as frontier:
        ready.wait()  # type: ignore[attr-defined]
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            leases = await frontier.lease(_CONCURRENCY)
            await asyncio.gather(*(visit(frontier, lease) for lease in leases))
            await frontier.ack_all([Ack(lease, "kept") for lease in leases])
            done += len(leases)
    with pages.get_lock():  # type: ignore[attr-defined]
        pages.value += done  # type: ignore[attr-defined]
