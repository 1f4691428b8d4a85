"""The face of every frontier: what a worker may ask for, and what it is promised.

``tests/crawler/frontier_contract.py`` is this page as a test; each implementation passes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Self

from crawler.frontier.shared_cache import SharedCache

LONGEST_NOTE = 8192
LONGEST_OUTCOME = 100
LONGEST_REASON = 500
PRIORITIES = range(-1000, 1001)
DEPTHS = range(65_536)

# Dead letters that are counted at once.
_PORTION: Final = 500


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that was found. Raises ValueError for a number or note outside its range.

    url: absolute, as found.
    depth: links from a seed, 0 for a seed.
    priority: the higher, the sooner within its host; from -1000 to 1000.
    note: travels with the URL unread, e.g. what kind of seed it is; at most 8,192 characters.
    kind: a word; the same URL of another kind is another candidate. Pages have none.
    """

    url: str
    depth: int = 0
    priority: int = 0
    note: str = ""
    kind: str = ""

    def __post_init__(self) -> None:
        if self.depth not in DEPTHS:
            raise ValueError(f"depth {self.depth} of {self.url!r} is not from 0 to {DEPTHS[-1]}")
        if self.priority not in PRIORITIES:
            raise ValueError(f"priority {self.priority} of {self.url!r} is not from -1000 to 1000")
        if len(self.note) > LONGEST_NOTE:
            raise ValueError(f"the note of {self.url!r} is longer than {LONGEST_NOTE} characters")


@dataclass(frozen=True, slots=True)
class Lease:
    """A URL handed to one worker, until its deadline.

    url: what to fetch (see ``crawler.urls.Address.url``).
    host: to which the visit counts.
    attempt: 1 the first time; counts failed tries and lost leases.
    token: the fencing token: it grows with every lease and is never given twice, so that a
        worker believed dead cannot touch what was leased to another since.
    deadline: seconds since 1970; the lease is lost afterwards unless it was renewed.
    """

    url: str
    host: str
    depth: int
    priority: int
    attempt: int
    token: int
    deadline: float
    note: str = ""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A URL that was given up.

    number: for paging; a URL that dies again may have another.
    died_at: seconds since 1970.
    """

    number: int
    url: str
    host: str
    depth: int
    attempts: int
    reason: str
    died_at: float


@dataclass(frozen=True, slots=True)
class HostStats:
    """Numbers of URLs of one host, as in ``Stats``; next_at: in seconds since 1970."""

    host: str
    queued: int
    leased: int
    done: int
    dead: int
    next_at: float


@dataclass(frozen=True, slots=True)
class Stats:
    """Numbers of a job. Always ``added == queued + leased + done + dead + purged``.

    added: different URLs that were ever taken in.
    queued: to be leased, now or later.
    waiting: those of the queued that wait out a failure.
    purged: dead ones whose letter was thrown away.
    refused: candidates that were no URL to visit; not part of ``added``.
    hosts: different hosts seen.
    received: bytes, as far as workers have told.
    outcomes: of the done, by what ``ack`` was told.
    """

    added: int = 0
    queued: int = 0
    waiting: int = 0
    leased: int = 0
    done: int = 0
    dead: int = 0
    purged: int = 0
    refused: int = 0
    hosts: int = 0
    received: int = 0
    outcomes: Mapping[str, int] = field(default_factory=dict)


class Frontier(ABC):
    """Every URL of a job. Implement this to keep a frontier in another kind of store.

    Every call is atomic: it happened wholly or not at all, whenever a worker is killed. All raise
    ``FrontierError`` if the store fails. A worker finds links, adds them, makes its result safe on
    disk and acknowledges, in that order; then nothing is lost, and what is done twice after a
    crash is the same page again.
    """

    @abstractmethod
    async def add(self, candidates: Iterable[Candidate]) -> int:
        """Take in URLs that were never seen; how many were new.

        The same page in another spelling is not new. What is no http or https URL is counted as
        refused. A URL is marked as seen and queued in one step; the first of its depths and
        priorities stays. Many candidates are taken in portions, so that any number may come.
        """

    @abstractmethod
    async def lease(self, n: int) -> list[Lease]:
        """At most ``n`` URLs whose hosts may be visited now, to be visited at once.

        Hosts take turns, the one that waits longest first; within a host the higher priority
        goes first, then the lower depth, then the one added first. Leases past their deadline
        come back to the queue at this call.
        """

    @abstractmethod
    async def lease_in(self) -> float | None:
        """Seconds until ``lease`` may have something; None if only another call changes that."""

    @abstractmethod
    async def renew(self, leases: Iterable[Lease]) -> list[Lease]:
        """The leases with a new deadline, without those that are lost."""

    @property
    @abstractmethod
    def lease_seconds(self) -> float:
        """How long the leases live that ``lease`` or ``renew`` gave last."""

    @abstractmethod
    async def fetched(self, leases: Iterable[Lease]) -> None:
        """The visits are over; the leases live on until they are acknowledged.

        From here on the host may have its next visit, while the page is still being worked on.
        Where a host has one visit at a time, its delay counts from here.
        """

    @abstractmethod
    async def ack_all(
        self, outcomes: Sequence[tuple[Lease, str]], *, pages: bool = False
    ) -> list[Lease]:
        """The URLs are done; call this when their results are safe. The lost leases come back.

        An outcome is a label that is counted ("kept", "rejected: too short"), of at most 100
        characters. ValueError if it is longer or empty.
        pages: whether they were pages, of which the policy limits the number; a redirect, a sitemap
        and what robots.txt forbids are none.
        """

    async def ack(self, lease: Lease, outcome: str, *, page: bool = False) -> bool:
        """As ``ack_all``, for one; False if the lease was lost, and nothing changed."""
        return not await self.ack_all([(lease, outcome)], pages=page)

    @abstractmethod
    async def release(
        self, lease: Lease, *, retry_after: float | None = None, reason: str | None = None
    ) -> bool:
        """The URL was not done; False if the lease was lost, and nothing changed.

        With a reason a try is counted: the URL comes back after ``retry_after`` seconds, by
        default after a backoff, or is dead with that reason when it has no try left. Without a
        reason the worker gives back what it did not try: nothing is counted, and the URL may be
        leased again at once or after ``retry_after`` seconds.
        """

    @abstractmethod
    async def delay_host(self, host: str, seconds: float) -> None:
        """No visit of the host within ``seconds`` from now, by any worker (Retry-After)."""

    @abstractmethod
    async def pace_host(self, host: str, seconds: float) -> None:
        """At least ``seconds`` between two visits of the host, until another pace is told.

        Crawl-delay: 0 where the host's robots.txt has none any more.
        """

    @abstractmethod
    async def count_received(self, size: int) -> None:
        """``size`` more bytes were received, of which the policy limits the number."""

    @abstractmethod
    async def finished(self) -> bool:
        """Nothing is leased, and nothing is queued that the job's limits allow to visit."""

    @abstractmethod
    async def stats(self) -> Stats:
        """The numbers of the job."""

    @abstractmethod
    async def hosts(self, limit: int = 20) -> list[HostStats]:
        """The numbers of the hosts with the most URLs queued."""

    @abstractmethod
    async def dead_letters(
        self, limit: int = 100, *, after: int = 0, host: str | None = None
    ) -> list[DeadLetter]:
        """Dead URLs whose number is above ``after``, by number."""

    async def dead_reasons(self, host: str | None = None) -> dict[str, int]:
        """How many URLs are dead for each reason, the most first.

        A store may count at one moment; here each portion of the letters has a moment of its own.
        """
        counts: Counter[str] = Counter()
        after = 0
        while letters := await self.dead_letters(_PORTION, after=after, host=host):
            counts.update(letter.reason for letter in letters)
            after = letters[-1].number
        return by_count(counts)

    @abstractmethod
    async def retry_dead(self, host: str | None = None) -> int:
        """Put dead URLs back into the queue, all their tries before them; how many."""

    @abstractmethod
    async def purge_dead(self, host: str | None = None) -> int:
        """Throw dead letters away; how many. Their URLs stay seen."""

    @property
    def has_new_scope(self) -> bool:
        """Whether ``lease`` told last that another worker has brought another scope for the job.

        What is leased then, and the links of it, are not this worker's to judge.
        """
        return False

    async def stopped(self) -> bool:
        """Whether an operator has ended the job for all its workers, until it is resumed."""
        return False

    def hurry(self) -> None:  # noqa: B027 - a store that is never away need not
        """The worker is asked to end: no call is to wait long for a store that is in trouble."""

    def shared_cache(self) -> SharedCache | None:
        """Where workers keep what one fetched for all; None where there is one worker."""
        return None

    @abstractmethod
    async def close(self) -> None:
        """Give back the leases of this worker, uncounted, and let go of the store."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """The same, the most first, and of as many by name.

    >>> by_count({"c": 1, "b": 1, "a": 2})
    {'a': 2, 'b': 1, 'c': 1}
    """
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def checked_outcome(outcome: str) -> str:
    """The outcome, if it is a label; ValueError otherwise."""
    if not 0 < len(outcome) <= LONGEST_OUTCOME:
        raise ValueError(
            f"an outcome of {len(outcome)} characters; a label of 1 to {LONGEST_OUTCOME} is counted"
        )
    return outcome
