"""The interface of frontiers, and what it guarantees.

``tests/crawler/frontier_contract.py`` tests these guarantees; every implementation passes it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from crawler.frontier.counters import by_count
from crawler.frontier.shared_cache import SharedCache
from crawler.frontier.sites import SiteStore
from crawler.frontier.stats import HostStats, Stats
from crawler.frontier.visits import NOTHING, Visit
from crawler.lease import Lease

LONGEST_KIND = 100
LONGEST_NOTE = 8192
LONGEST_OUTCOME = 100
LONGEST_REASON = 500
PRIORITIES = range(-1000, 1001)
DEPTHS = range(65_536)
# Dead letters that ``all_dead_letters`` reads at a time.
_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Candidate:
    """A URL that was found. Raises ValueError if a field is out of range.

    url: absolute, as found.
    depth: number of links from a seed; 0 for a seed.
    priority: higher goes first among the URLs of its host; from -1000 to 1000.
    note: opaque data that is stored with the URL; at most 8,192 characters.
    kind: a label of at most 100 characters; the same URL with another kind is another candidate.
        Empty for pages.
    changed_at: when it is said to have changed, in seconds since 1970; None if nothing is said.
    """

    url: str
    depth: int = 0
    priority: int = 0
    note: str = ""
    kind: str = ""
    changed_at: float | None = None

    def __post_init__(self) -> None:
        if self.depth not in DEPTHS:
            raise ValueError(
                f"depth {self.depth} of {self.url!r} must be between 0 and {DEPTHS[-1]}"
            )
        if self.priority not in PRIORITIES:
            raise ValueError(
                f"priority {self.priority} of {self.url!r} must be between -1000 and 1000"
            )
        if len(self.note) > LONGEST_NOTE:
            raise ValueError(f"the note of {self.url!r} is longer than {LONGEST_NOTE} characters")
        if self.changed_at is not None and not math.isfinite(self.changed_at):
            raise ValueError(f"{self.url!r} cannot have changed at {self.changed_at!r} seconds")
        if len(self.kind) > LONGEST_KIND:
            raise ValueError(f"the kind of {self.url!r} is longer than {LONGEST_KIND} characters")


class Ack(NamedTuple):
    """What became of a leased URL.

    outcome: a label to count ("kept", "rejected: too-short"), of 1 to 100 characters.
    visit: when the URL is visited again; None for never.
    counts: what was learned of its host, by name; added to ``Frontier.counts``.
    page: whether it counts towards the policy's limits of pages; a redirect, a sitemap and what
        robots.txt disallows do not.
    sent: whether anything was sent to the host; if not, its next visit need not wait for this one.
    """

    lease: Lease
    outcome: str
    visit: Visit | None = None
    counts: Mapping[str, float] = NOTHING
    page: bool = False
    sent: bool = True


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A URL that was given up.

    number: for paging; changes if the URL is retried and dies again.
    died_at: seconds since 1970.
    """

    number: int
    url: str
    host: str
    depth: int
    attempts: int
    reason: str
    died_at: float


class Frontier(ABC):
    """All URLs of a job. Implement this to store a frontier elsewhere.

    Every call is atomic, even if a worker is killed meanwhile, and raises ``FrontierError`` if the
    store fails. For each page, a worker first adds its links, then makes its document safe on disk,
    then acknowledges it. So nothing is lost in a crash; at worst a page is fetched again.
    """

    @abstractmethod
    async def add(self, candidates: Iterable[Candidate]) -> int:
        """Queue the URLs that were never seen; returns how many those were.

        Another spelling of a seen URL is not new. Candidates that are not http or https URLs are
        counted as refused. Marking a URL as seen and queueing it is one atomic step; later
        additions change neither its depth nor its priority. Candidates are added in batches, so
        there may be any number.

        A URL that waits for its next visit, and whose ``changed_at`` is later than its last one, is
        due now, and its lease will be ``hinted``. A time in the future is ignored.
        """

    @abstractmethod
    async def lease(self, n: int) -> list[Lease]:
        """Up to ``n`` URLs whose hosts may be visited now; the worker should fetch them at once.

        Hosts take turns, and the one that has waited longest goes first. Within a host, the higher
        priority goes first, then the lower depth, then the URL that was added first. Of the URLs
        that are due to be visited again, the one that is overdue longest goes first; they share the
        host's visits with the queue by ``Policy.revisit_share``. A URL whose lease is returned
        waits in the queue, even if it was visited before.

        This call also returns leases that are past their deadline to the queue.
        """

    @abstractmethod
    async def lease_in(self) -> float | None:
        """Seconds until ``lease`` may return something; None if that needs another call first."""

    @abstractmethod
    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        """Returns the leases with a new deadline, without those that are lost."""

    @property
    @abstractmethod
    def lease_seconds(self) -> float:
        """The lifetime of the leases that ``lease`` or ``renew`` returned last."""

    @abstractmethod
    async def fetched(self, leases: Sequence[Lease]) -> None:
        """Report that the responses have arrived; the leases last until they are acknowledged.

        The host's next visit need not wait until the page is processed. If a host has one visit at
        a time, its delay counts from here.
        """

    @abstractmethod
    async def ack_all(self, acks: Sequence[Ack]) -> list[Lease]:
        """Mark the URLs as done, once their results are safe. Returns those whose lease was lost.

        Raises ValueError for an outcome that is too short or too long.
        """

    async def ack(
        self,
        lease: Lease,
        outcome: str,
        *,
        page: bool = False,
        visit: Visit | None = None,
        counts: Mapping[str, float] = NOTHING,
        sent: bool = True,
    ) -> bool:
        """As ``ack_all``, for one URL; False if the lease was lost, and then nothing changes."""
        return not await self.ack_all([Ack(lease, outcome, visit, counts, page, sent)])

    @abstractmethod
    async def release(
        self,
        lease: Lease,
        *,
        retry_after: float | None = None,
        reason: str | None = None,
        is_final: bool = False,
        sent: bool = True,
    ) -> bool:
        """Give back a URL that is not done; False if the lease was lost, and then nothing changes.

        With a reason, a failed try is counted: the URL is queued again after ``retry_after``
        seconds, by default after a backoff, or is dead if it has no tries left, or this was to be
        the last one (``is_final``). Without a reason
        nothing is counted: the worker did not try the URL, and it may be leased again at once or
        after ``retry_after`` seconds.
        sent: as in ``Ack``.
        """

    @abstractmethod
    async def set_failures(self, host: str, before: int, failures: int) -> bool:
        """Note how many visits of the host in a row have failed, for the leases of all workers.

        before: what the lease of the last visit said (``Lease.host_failures``). If that has changed
            since, nothing changes, and this is False: of visits that fail at once, one counts.
        It is 0 again after ``retry_dead`` for URLs of the host, and when a run begins.
        """

    @abstractmethod
    async def delay_host(self, host: str, seconds: float) -> None:
        """No visit of the host within ``seconds`` from now, by any worker (Retry-After)."""

    @abstractmethod
    async def pace_host(self, host: str, seconds: float) -> None:
        """At least ``seconds`` between two visits of the host, until another pace is set.

        For Crawl-delay, and for hosts that are slow or in trouble; 0 if there is neither.
        """

    @abstractmethod
    async def recount(
        self,
        teller: str,
        number: int,
        changes: Mapping[str, int],
        visits: Mapping[str, Visit] = NOTHING,
    ) -> None:
        """Change what was said of pages that are done, whose result was not final when they were.

        teller: a lasting name of its own. number: increases with every change that it tells; one
            that comes again, after a crash for example, has no effect.
        changes: by outcome; they add up to 0.
        visits: by the leases' URLs, each replaces the visit that was given to ``ack``. It has no
            effect on a URL that is leased again or is never visited again; one that is already due
            stays due.
        """

    @abstractmethod
    async def history(self, url: str) -> str:
        """What is remembered of a page until its next visit; empty if none waits, as in a lease."""

    @abstractmethod
    async def begin_run(self) -> bool:
        """Begin a run, unless the last one is not ``finished``; then join it and return False.

        The known URLs that are due by now belong to the run, and the limits of pages and bytes
        count anew. Other URLs are visited again in later runs, unless a hint makes them due.
        """

    @abstractmethod
    async def counts(self, host: str) -> Mapping[str, float]:
        """What acknowledgements and ``count_sent`` have counted of a host; empty if it has none."""

    @abstractmethod
    async def forget(self, urls: Sequence[str]) -> None:
        """Never add these pages, nor visit them again; those that were never seen count as purged.

        A page that is queued or leased now is still visited: its worker must leave it out. Raises
        ValueError, and changes nothing, if one is not an http or https URL.
        """

    @abstractmethod
    def sites(self, capacity: int) -> SiteStore:
        """What the job remembers of its sites, at most ``capacity`` pages of each."""

    @abstractmethod
    async def count_received(self, size: int) -> None:
        """Count ``size`` received bytes towards the policy's limit."""

    @abstractmethod
    async def count_sent(self, sizes: Mapping[str, int]) -> list[str]:
        """Count the bytes that hosts have sent; of a host without URLs nothing is counted.

        A host that has sent as many today (UTC) as the policy allows is not visited until tomorrow.
        Returns those hosts.
        """

    @abstractmethod
    async def finished(self) -> bool:
        """Whether nothing is leased, and nothing is queued or due that the job's limits allow."""

    @abstractmethod
    async def stats(self) -> Stats:
        """The counts of the job."""

    @abstractmethod
    async def hosts(self, limit: int = 20) -> list[HostStats]:
        """The counts of the hosts with the most queued URLs."""

    @abstractmethod
    async def dead_letters(
        self, limit: int = 100, *, after: int = 0, host: str | None = None
    ) -> list[DeadLetter]:
        """Dead URLs with a number greater than ``after``, sorted by number."""

    async def all_dead_letters(self, host: str | None = None) -> AsyncIterator[DeadLetter]:
        """Every dead URL, sorted by number.

        This implementation reads in batches, so it is not a snapshot if the crawl is running.
        """
        after = 0
        while letters := await self.dead_letters(_BATCH, after=after, host=host):
            for letter in letters:
                yield letter
            after = letters[-1].number

    async def dead_reasons(self, host: str | None = None) -> dict[str, int]:
        """How many URLs are dead for each reason, most frequent first; see ``all_dead_letters``."""
        counts: Counter[str] = Counter()
        async for letter in self.all_dead_letters(host):
            counts[letter.reason] += 1
        return by_count(counts)

    async def retry_dead(self, host: str | None = None, *, reason: str | None = None) -> int:
        """Queue dead URLs again, with all their tries; returns how many.

        host, reason: only those of this host, and with this reason.
        """
        return await self._empty_dead(host, reason, requeue=True)

    async def purge_dead(self, host: str | None = None, *, reason: str | None = None) -> int:
        """Forget dead URLs, chosen as by ``retry_dead``; returns how many. They still count as
        seen.
        """
        return await self._empty_dead(host, reason, requeue=False)

    @abstractmethod
    async def _empty_dead(self, host: str | None, reason: str | None, *, requeue: bool) -> int: ...

    @property
    def has_new_scope(self) -> bool:
        """Whether another worker has set another scope for the job, as of the last ``lease``.

        This worker then must not process what it has leased, because its scope is out of date.
        """
        return False

    async def check_complete(self) -> None:  # noqa: B027 - only shared stores are removed in steps
        """Raise FrontierError if the removal of the job has begun: only finishing it is left."""

    async def stopped(self) -> bool:
        """Whether an operator has stopped the job for all its workers, until it is resumed."""
        return False

    def hurry(self) -> None:  # noqa: B027 - local stores have no outages to wait for
        """The worker is shutting down: calls must no longer wait long for an outage to end."""

    def shared_cache(self) -> SharedCache | None:
        """A cache that the workers of the job share; None if there is only one worker."""
        return None

    @abstractmethod
    async def close(self) -> None:
        """Give back this worker's leases, without counting a loss, and close the store."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
