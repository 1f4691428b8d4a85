"""Compares the Redis frontier with scrapy-redis's queue and duplicate filter, on the same URLs.

Memory: the growth of ``used_memory``, and ``MEMORY USAGE`` by kind of key. Speed: alternating
rounds, the best of each. Latency: calls alternate between a job of 100,000 URLs and one of
``--urls`` in the same server.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator

import redis
from scrapy import Request, Spider
from scrapy_redis.dupefilter import RFPDupeFilter
from scrapy_redis.queue import PriorityQueue

from benchmarks.redis_process import empty_redis, processor_seconds, used_memory
from benchmarks.report import Report
from crawler.frontier import Ack, Candidate, Policy
from crawler.frontier.encoding import batched
from crawler.frontier.redis import RedisFrontier

Pages = Iterator[list[Candidate]]

# Leases per call: a crawler with 32 concurrent downloads requests as many as have become free.
_BATCHES = (8, 32)
_BATCH = 16
_POLICY = Policy(delay=0, visits_per_host=8)
_SMALL = 100_000
_PEER_URLS = 100_000
_ROUNDS = 4
_ROUND_URLS = 5_000
_CALLS = 2000


class Stages:
    """The times of a round's stages: wall-clock time, and CPU time of client and server.

    Other load on the machine affects the first much more than the second.
    """

    def __init__(self, client: redis.Redis) -> None:
        self._client = client
        self._took: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        before = self._clocks()
        yield
        for i, (then, now) in enumerate(zip(before, self._clocks(), strict=True)):
            self._took[name][i] += now - then

    def rates(self, urls: int) -> tuple[list[float], list[float]]:
        """URLs per second for adding, leasing, both, and acknowledging if there is such a stage.

        First by wall-clock time, then by CPU time.
        """
        rates = []
        for clock in (0, 1):
            enqueue, lease = self._took["enqueue"][clock], self._took["lease"][clock]
            acknowledge = self._took["acknowledge"][clock] or float("inf")
            took = (enqueue, lease, enqueue + lease, acknowledge)
            rates.append([urls / seconds for seconds in took])
        return rates[0], rates[1]

    def _clocks(self) -> tuple[float, float]:
        return time.perf_counter(), time.process_time() + processor_seconds(self._client)


class Peer:
    """scrapy-redis's filter and priority queue, as its scheduler calls them."""

    def __init__(self, client: redis.Redis) -> None:
        self.spider = Spider("peer")
        self.filter = RFPDupeFilter(client, "peer:dupefilter")
        self.queue = PriorityQueue(client, self.spider, "peer:requests")

    def add(self, links: list[Candidate]) -> None:
        for link in links:
            request = Request(link.url, priority=-link.depth, meta={"depth": link.depth})
            if not self.filter.request_seen(request):
                self.queue.push(request)


def run(pages: Pages, urls: int, report: Report) -> int:
    with empty_redis() as url:
        client = redis.Redis.from_url(url)
        report.say(f"Redis {client.info('server')['redis_version']}\n")
        asyncio.run(_speed(url, client, pages, report))
        client.flushall()
        _peer_memory(client, pages, report)
        client.flushall()
        asyncio.run(_memory_and_latency(url, client, pages, urls, report))
    return 0


async def _speed(url: str, client: redis.Redis, pages: Pages, report: Report) -> None:
    found: defaultdict[str, list[tuple[list[float], list[float]]]] = defaultdict(list)
    peer = Peer(client)
    async with await RedisFrontier.open(url, "speed", _POLICY) as frontier:
        for _ in range(_ROUNDS):
            found["scrapy-redis"].append(_peer_round(peer, client, _links(pages)))
            for batch in _BATCHES:
                rates = await _our_round(frontier, client, _links(pages), batch)
                found[f"this frontier, {batch} leases per call"].append(rates)
    columns = {
        "URLs/s": "",
        **dict.fromkeys(("enqueued", "leased", "both", "acknowledged"), ",.0f"),
        "both, ratio": ".1f",
    }
    for clock, title in enumerate(("wall-clock time", "CPU time of client and server")):
        best = {
            name: [max(rates) for rates in zip(*(round_[clock] for round_ in rounds), strict=True)]
            for name, rounds in found.items()
        }
        rows = [
            (name, *(rate or None for rate in rates), rates[2] / best["scrapy-redis"][2])
            for name, rates in best.items()
        ]
        report.say(f"{title}\n")
        report.table(title, columns, rows)


def _links(pages: Pages) -> list[list[Candidate]]:
    return list(itertools.islice(pages, _ROUND_URLS // 50))


async def _our_round(
    frontier: RedisFrontier, client: redis.Redis, links: list[list[Candidate]], batch: int
) -> tuple[list[float], list[float]]:
    stages = Stages(client)
    with stages.stage("enqueue"):
        added = sum([await frontier.add(page) for page in links])
    leased = 0
    while leased < added:
        with stages.stage("lease"):
            # Some hundred, so that the clocks are read rarely.
            leases = [await frontier.lease(batch) for _ in range(_ROUND_URLS // 10 // batch)]
        with stages.stage("acknowledge"):
            for some in leases:
                await frontier.fetched(some)
                await frontier.ack_all([Ack(lease, "kept") for lease in some])
        leased += sum(map(len, leases))
    return stages.rates(added)


def _peer_round(
    peer: Peer, client: redis.Redis, links: list[list[Candidate]]
) -> tuple[list[float], list[float]]:
    stages = Stages(client)
    with stages.stage("enqueue"):
        for page in links:
            peer.add(page)
    added = len(peer.queue)
    with stages.stage("lease"):
        while peer.queue.pop() is not None:
            pass
    return stages.rates(added)


def _peer_memory(client: redis.Redis, pages: Pages, report: Report) -> None:
    peer = Peer(client)
    empty = used_memory(client)
    for links in itertools.islice(pages, _PEER_URLS // 50):
        peer.add(links)
    count = len(peer.queue)
    seen, queue = (
        int(client.memory_usage(key, samples=1000))  # type: ignore[arg-type]
        for key in ("peer:dupefilter", "peer:requests")
    )
    rows = [
        ("seen", count, seen / count),
        ("queue", count, queue / count),
        ("all", count, (used_memory(client) - empty) / count),
    ]
    columns = {"scrapy-redis": "", "URLs": ",d", "bytes/URL": ".1f"}
    report.table("memory of scrapy-redis", columns, rows)


async def _memory_and_latency(
    url: str, client: redis.Redis, pages: Pages, urls: int, report: Report
) -> None:
    empty = used_memory(client)
    big = await RedisFrontier.open(url, "big", _POLICY)
    await _fill(big, pages, urls)
    _memory(client, urls, used_memory(client) - empty, report)
    small = await RedisFrontier.open(url, "small", _POLICY)
    await _fill(small, pages, _SMALL)
    await _latency({_SMALL: small, urls: big}, report)
    await small.close()
    await big.close()


async def _fill(frontier: RedisFrontier, pages: Pages, urls: int) -> None:
    added = 0
    while added < urls:
        added += await frontier.add(itertools.chain.from_iterable(itertools.islice(pages, 10)))


def _memory(client: redis.Redis, urls: int, used: int, report: Report) -> None:
    """Bytes by kind of key: the first word after the job's name."""
    sizes: defaultdict[str, int] = defaultdict(int)
    keys: defaultdict[str, int] = defaultdict(int)
    for batch in batched(client.scan_iter(count=1000), 1000):
        with client.pipeline(transaction=False) as pipeline:
            for key in batch:
                pipeline.memory_usage(key, samples=1000)
            for key, size in zip(batch, pipeline.execute(), strict=True):
                kind = key.decode().split(":")[2]
                sizes[kind] += size
                keys[kind] += 1
    kinds = ("seen", "queue", "ranks", "hosts", "ready")
    rows = [(kind, keys[kind], urls, sizes[kind] / urls) for kind in kinds]
    rows.append(("all", sum(keys.values()), urls, used / urls))
    columns = {"this frontier": "", "keys": ",d", "URLs": ",d", "bytes/URL": ".1f"}
    report.table("memory", columns, rows)


async def _latency(frontiers: dict[int, RedisFrontier], report: Report) -> None:
    calls: dict[int, list[float]] = {size: [] for size in frontiers}
    for _ in range(_CALLS):
        for size, frontier in frontiers.items():
            began = time.perf_counter()
            leases = await frontier.lease(_BATCH)
            calls[size].append((time.perf_counter() - began) * 1000)
            await frontier.fetched(leases)
            await frontier.ack_all([Ack(lease, "kept") for lease in leases])
    found = {size: statistics.quantiles(times, n=100) for size, times in calls.items()}
    rows = [(f"{size:,}", centiles[49], centiles[98]) for size, centiles in found.items()]
    small, big = found.values()
    rows.append(("ratio", big[49] / small[49], big[98] / small[98]))
    columns = {"URLs queued": "", f"lease of {_BATCH}: ms, p50": ".2f", "p99": ".2f"}
    report.table("latency", columns, rows)
