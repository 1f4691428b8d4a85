"""Whether the counters of a job in Redis say what its queues, leases and letters say."""

from __future__ import annotations

from collections import Counter, defaultdict

import orjson
from redis.asyncio import Redis

from crawler.frontier import Stats
from crawler.frontier.redis import RedisFrontier


async def audit(url: str, job: str) -> None:
    """AssertionError if a URL is in no state, or in two, or a counter is wrong."""
    async with await RedisFrontier.attach(url, job) as frontier, Redis.from_url(url) as redis:
        stats = await frontier.stats()
        hosts = {host.host: host for host in await frontier.hosts(10_000)}
        prefix = frontier.job.key("")
        queued: Counter[str] = Counter()
        urls: list[tuple[str, str, str]] = []
        async for key in redis.scan_iter(f"{prefix}queue:*"):
            rank, _, name = key.decode().removeprefix(f"{prefix}queue:").partition(":")
            entries = await redis.lrange(key, 0, -1)
            queued[name] += len(entries)
            urls += [_named(name, entry.decode()) for entry in entries]
            assert await redis.zscore(f"{prefix}ranks:{name}", rank) == float(rank)
        ranked = {key.decode() async for key in redis.scan_iter(f"{prefix}ranks:*")}
        assert ranked == {f"{prefix}ranks:{name}" for name in queued}
        waiting = await redis.zrange(f"{prefix}waiting", 0, -1)
        for row in waiting:
            name, _, entry = row.decode().split(" ", 2)
            queued[name] += 1
            urls.append(_named(name, entry))
        leases = await redis.hgetall(f"{prefix}leases")
        leased: Counter[str] = Counter()
        for lease in leases.values():
            _, _, name, _, entry = lease.decode().split(" ", 4)
            leased[name] += 1
            urls.append(_named(name, entry))
        dead: Counter[str] = Counter()
        for letter in await redis.zrange(f"{prefix}dead", 0, -1):
            name, _, entry, *_ = orjson.loads(letter)
            dead[name] += 1
            urls.append(_named(name, entry))
        assert len(urls) == len(set(urls))
        assert len(urls) == stats.added - stats.done - stats.purged
        over = await frontier.job.expired()
        assert (stats.queued, stats.waiting) == (queued.total() + over.total(), len(waiting))
        assert (stats.leased, stats.dead) == (len(leases) - over.total(), dead.total())
        for name, host in hosts.items():
            assert (host.queued, host.leased, host.dead) == (
                queued[name] + over[name],
                leased[name] - over[name],
                dead[name],
            ), name
        assert {*queued, *leased, *dead} <= hosts.keys()
        assert await redis.zcard(f"{prefix}deadlines") == len(leases)
        seen = [key async for key in redis.scan_iter(f"{prefix}seen:*")]
        assert sum([await redis.scard(key) for key in seen]) == stats.added
        for key in seen:
            assert await redis.object("encoding", key) in (b"intset", "intset")
        assert sum(stats.outcomes.values()) >= stats.done
        await _audit_visits(redis, prefix, stats)


async def _audit_visits(redis: Redis, prefix: str, stats: Stats) -> None:
    run_at = int(await redis.hget(f"{prefix}job", "run_at") or 0)
    dues: Counter[int] = Counter()
    digests: Counter[tuple[bytes, bytes]] = Counter()
    earliest: defaultdict[str, dict[bytes, float]] = defaultdict(dict)
    async for key in redis.scan_iter(f"{prefix}visits:*"):
        bucket, _, host = key.removeprefix(f"{prefix}visits:".encode()).partition(b":")
        entries = await redis.lrange(key, 0, -1)
        times = [int.from_bytes(entry[:4], "big") for entry in entries]
        dues.update(times)
        digests.update((host, entry[8:15]) for entry in entries)
        earliest[host.decode()][bucket] = min(times)
    for host, buckets in earliest.items():
        assert dict(await redis.zrange(f"{prefix}due:{host}", 0, -1, withscores=True)) == buckets
    assert len([key async for key in redis.scan_iter(f"{prefix}due:*")]) == len(earliest)
    assert not digests or max(digests.values()) == 1
    assert stats.done >= dues.total()
    assert stats.due == sum(count for due, count in dues.items() if due <= run_at)
    later = {int(due): int(count) for due, count in (await redis.hgetall(f"{prefix}dues")).items()}
    assert later == {due: count for due, count in dues.items() if due > run_at}


def _named(host: str, entry: str) -> tuple[str, str, str]:
    """What is told apart: the host, the rest of the URL, and the note, which says of what kind."""
    url, *counted = entry.split(" ", 3)
    return host, url, counted[2] if counted else ""
