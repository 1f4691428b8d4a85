"""What the Lua scripts read and write: URLs, hosts and counts as texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from struct import Struct
from typing import Any, Final, NamedTuple, Self

import orjson

from crawler.frontier.base import LONGEST_REASON, Ack, Candidate, DeadLetter
from crawler.frontier.counters import by_count, changes
from crawler.frontier.encoding import (
    MICRO,
    depth_of,
    full_url,
    micro,
    priority_of,
    rank_of,
    short_url,
)
from crawler.frontier.notes import StoredNote
from crawler.frontier.stats import HostStats, RunStats, Stats
from crawler.frontier.visits import Visit
from crawler.lease import Lease
from crawler.urls import UrlError, address, digest

# A planned visit begins with two times and the digest.
_TIMES: Final = Struct(">II")
_HEAD: Final = 15


@dataclass(frozen=True, slots=True)
class Entry:
    """What a queue stores of a URL: no scheme and host, because the queue's key has the host.

    url: ASCII without spaces, as ``crawler.urls.address`` makes it.
    failures, losses: its failed tries and lost leases so far.
    note: see ``StoredNote``.
    """

    url: str
    failures: int = 0
    losses: int = 0
    note: str = ""

    def text(self, host: str) -> str:
        """The entry in a queue of ``host``; usually just the URL's path.

        >>> Entry("https://a.test/x?y=1").text("a.test"), Entry("http://a.test:81/").text("a.test")
        ('/x?y=1', '!:81/')
        >>> Entry("https://a.test/", note="a seed").text("a.test")
        '/ 0 0 a seed'
        """
        short = short_url(self.url, host)
        if not (self.failures or self.losses or self.note):
            return short
        return f"{short} {self.failures} {self.losses} {self.note}"

    @classmethod
    def read(cls, text: str, host: str) -> Self:
        """The inverse of ``text``; the counts may have been changed by the scripts.

        >>> Entry.read("!:81/x 2 1 ", "a.test")
        Entry(url='http://a.test:81/x', failures=2, losses=1, note='')
        """
        short, *counted = text.split(" ", 3)
        url = full_url(short, host)
        if not counted:
            return cls(url)
        failures, losses, note = counted
        return cls(url, int(failures), int(losses), note)

    @property
    def attempts(self) -> int:
        return self.failures + self.losses


class PlannedVisit(NamedTuple):
    """A visit to come, as ``lua/visits.lua`` stores it.

    due, visited: when it is due, and when the last one was; seconds since 1970.
    entry: see ``Entry``.
    """

    due: int
    visited: int
    rank: int
    entry: str

    @classmethod
    def read(cls, packed: bytes) -> Self:
        due, visited = _TIMES.unpack_from(packed)
        rank, url, note = packed[_HEAD:].decode().split(" ", 2)
        return cls(due, visited, int(rank), f"{url} 0 0 {note}")


def arguments_of(candidates: Sequence[Candidate], key: bytes) -> list[Any]:
    """The number of refused candidates, then the others by host.

    key: the key of the job's digests.
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    refused = 0
    for candidate in candidates:
        try:
            where = address(candidate.url)
        except UrlError:
            refused += 1
            continue
        hashed = digest(where.canonical, key, candidate.kind)
        note = StoredNote(candidate.note, candidate.kind).text()
        entry = Entry(where.url, note=note).text(where.host)
        changed = "-" if candidate.changed_at is None else micro(candidate.changed_at)
        found[where.host].append(f"{rank_of(candidate)} {hashed} {changed} {entry}")
    arguments: list[Any] = [refused]
    for host, urls in found.items():
        arguments += (host, len(urls), *urls)
    return arguments


def told(ack: Ack, key: bytes) -> tuple[Any, ...]:
    """An acknowledgement, as the script reads it. key: of the job's digests."""
    return (ack.lease.token, ack.outcome, int(ack.page), int(ack.sent), _learned(ack, key))


def failure(reason: str | None, *, is_final: bool) -> tuple[str, str]:
    """A failed try, as the script reads it; empty if there was none."""
    if reason is None:
        return "", ""
    return "2" if is_final else "1", reason[:LONGEST_REASON].encode("utf-8", "replace").decode()


def _learned(ack: Ack, key: bytes) -> str:
    """What an acknowledgement says beyond its outcome, as JSON; empty if that is nothing.

    key: the key of the job's digests.
    """
    more: dict[str, Any] = {}
    if ack.visit is not None:
        lease = ack.lease
        hashed = digest(address(lease.url).canonical, key, lease.kind)
        note = StoredNote(lease.note, lease.kind, ack.visit.history).text()
        place = f"{short_url(lease.url, lease.host)} {note}"
        more["visit"] = (micro(ack.visit.after), str(hashed), place)
    if ack.counts:
        more["counts"] = dict(ack.counts)
    return orjson.dumps(more).decode() if more else ""


def replaced(url: str, visit: Visit, key: bytes) -> tuple[Any, ...]:
    """A visit that replaces that of a page, as the script reads it."""
    where = address(url)
    hashed = digest(where.canonical, key)
    return (where.host, hashed, micro(visit.after), len(visit.history), visit.history)


def lease_of(row: Sequence[str], deadline: float) -> Lease:
    token, host, rank, text, failures = row
    entry = Entry.read(text, host)
    return Lease(
        url=entry.url,
        host=host,
        depth=depth_of(int(rank)),
        priority=priority_of(int(rank)),
        attempt=entry.attempts + 1,
        token=int(token),
        deadline=deadline,
        host_failures=int(failures),
        **StoredNote.read(entry.note)._asdict(),
    )


def host_stats_of(row: Sequence[Any], expired: int) -> HostStats:
    """A host as ``lua/hosts.lua`` returns it. expired: as in ``stats_of``."""
    host, queued, leased, done, dead, next_at = row
    back = min(expired, leased)
    return HostStats(host, queued + back, leased - back, done, dead, int(next_at) / MICRO)


def dead_letter_of(row: bytes) -> DeadLetter:
    host, rank, text, reason, died_at, number = orjson.loads(row)
    entry = Entry.read(text, host)
    return DeadLetter(
        number=int(number),
        url=entry.url,
        host=host,
        depth=depth_of(int(rank)),
        attempts=entry.attempts,
        reason=reason,
        died_at=int(died_at) / MICRO,
    )


def stats_of(
    job: Mapping[bytes, bytes],
    outcomes: Mapping[bytes, bytes],
    before: Mapping[bytes, bytes],
    hosts: int,
    expired: int,
) -> Stats:
    """The counts of a job, from its record, its outcomes and its number of hosts.

    before: the outcomes of earlier runs.
    expired: leases past their deadline. They were counted a moment later, so there may be more of
        them than were leased.
    """
    names = ("added", "waiting", "done", "dead", "purged", "refused", "received", "due")

    def count(name: str) -> int:
        return int(job.get(name.encode(), 0))

    counts = {name: count(name) for name in names}
    back = min(expired, count("leased"))
    pages, earlier = (
        {label.decode(): int(count) for label, count in counted.items()}
        for counted in (outcomes, before)
    )
    return Stats(
        **counts,
        queued=count("queued") + counts["waiting"] + back,
        leased=count("leased") - back,
        hosts=hosts,
        outcomes=by_count(pages),
        run=RunStats(
            count("charged"),
            counts["received"] - count("uncharged"),
            changes(pages, earlier),
            has_leased=count("token") > count("run_token"),
        ),
    )


def chosen(leases: Sequence[Lease], places: Iterable[int]) -> list[Lease]:
    """The leases at these places, which Lua counts from 1."""
    return [leases[place - 1] for place in places]


def tokens_of(leases: Iterable[Lease]) -> list[int]:
    return [lease.token for lease in leases]
