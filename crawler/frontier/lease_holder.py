"""The leases that this worker holds: renewed while in work, and known to be lost or not."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Self

from crawler.frontier.base import Ack, Candidate, Frontier
from crawler.frontier.errors import FrontierError
from crawler.frontier.visits import NOTHING, Visit
from crawler.lease import Lease

_log = logging.getLogger(__name__)

# Leases are renewed after this share of their lifetime, so that two renewals may fail.
_RENEWAL: float = 1 / 3
# On Linux, CLOCK_MONOTONIC stands still while the machine sleeps; on other systems it does not.
_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def _seconds() -> float:
    """A clock that also runs while the machine sleeps."""
    return time.clock_gettime(_CLOCK)


class LeaseHolder:
    """Leases URLs of a frontier for this worker, which must give them back through here.

    frontier: of the job, for all that does not concern leases.
    changed: set whenever a visit or a lease ends or a URL is added, so that another lease may be
        possible.
    lost: leases that were lost so far.
    clock: in seconds, for the local deadlines of leases.
    on_lease: awaited with new leases before they are handed out, if it is set.
    """

    def __init__(self, frontier: Frontier, *, clock: Callable[[], float] = _seconds) -> None:
        self.frontier = frontier
        self._clock = clock
        self._held: dict[int, Lease] = {}
        self._ends: dict[int, float] = {}
        self._visits: set[int] = set()
        self._taken: set[int] = set()
        self._renewing: asyncio.Task[None] | None = None
        self._are_shorter = asyncio.Event()
        self.changed = asyncio.Event()
        self.lost = 0
        self.on_lease: Callable[[Sequence[Lease]], Awaitable[None]] | None = None

    @property
    def held(self) -> int:
        """The number of leases that are neither acknowledged nor released."""
        return len(self._held)

    @property
    def visits(self) -> int:
        """The number of leases that are still being fetched."""
        return len(self._visits)

    def holds(self, lease: Lease) -> bool:
        """Whether the lease has certainly not expired, so that no other worker can have it.

        Measured with the local clock, from the moment of the request, so that the answer is right
        even if the store was unavailable or this process was suspended.
        """
        return self._clock() < self._ends.get(lease.token, 0.0)

    def take(self, lease: Lease) -> None:
        """An item pipeline has the lease's page now, and will end the lease itself."""
        self._taken.add(lease.token)

    def leave(self, lease: Lease) -> None:
        """The item pipeline has failed, and will not end it after all."""
        self._taken.discard(lease.token)

    def is_idle(self, lease: Lease) -> bool:
        """Whether the lease is held, and no item pipeline will end it."""
        return lease.token in self._held and lease.token not in self._taken

    def start(self) -> None:
        """Start to renew leases; call it in the frontier's event loop."""
        self._renewing = asyncio.create_task(self._renew_for_ever(), name="renew leases")

    async def add(self, candidates: Iterable[Candidate]) -> int:
        new = await self.frontier.add(candidates)
        if new:
            self.changed.set()
        return new

    async def lease(self, n: int) -> list[Lease]:
        """Lease more URLs. If held leases have expired locally, they are renewed first.

        So a worker that was suspended keeps the leases that nobody else has taken meanwhile.
        """
        if any(end <= self._clock() for end in self._ends.values()):
            await self.renew([*self._held.values()])
        began, seconds = self._clock(), self.frontier.lease_seconds
        leases = await self.frontier.lease(n)
        if self.frontier.lease_seconds < seconds:
            self._are_shorter.set()
        ends = began + self.frontier.lease_seconds
        self._ends.update((lease.token, ends) for lease in leases)
        self._held.update((lease.token, lease) for lease in leases)
        self._visits.update(lease.token for lease in leases)
        if leases and self.on_lease is not None:
            await self.on_lease(leases)
        return leases

    async def renew(self, leases: Sequence[Lease]) -> list[Lease]:
        began = self._clock()
        kept = await self.frontier.renew(leases)
        ends = began + self.frontier.lease_seconds
        self._ends.update((lease.token, ends) for lease in kept if lease.token in self._held)
        still = {lease.token for lease in kept}
        self._forget([lease for lease in leases if lease.token not in still], lost=True)
        return kept

    async def fetched(self, leases: Sequence[Lease]) -> None:
        await self.frontier.fetched(leases)
        self._visits.difference_update(lease.token for lease in leases)
        self.changed.set()

    async def ack_all(self, acks: Sequence[Ack]) -> list[Lease]:
        try:
            lost = await self.frontier.ack_all(acks)
            self._forget(lost, lost=True)
        finally:
            # Also after an error: they are no longer renewed, so they expire and are leased again.
            self._forget([ack.lease for ack in acks])
        return lost

    async def ack(
        self,
        lease: Lease,
        outcome: str,
        *,
        visit: Visit | None = None,
        counts: Mapping[str, float] = NOTHING,
        sent: bool = True,
    ) -> bool:
        """As ``ack_all``, for one URL that was no page; False if the lease was lost."""
        return not await self.ack_all([Ack(lease, outcome, visit, counts, sent=sent)])

    async def release(
        self,
        lease: Lease,
        *,
        retry_after: float | None = None,
        reason: str | None = None,
        is_final: bool = False,
        sent: bool = True,
    ) -> bool:
        released = await self.frontier.release(
            lease, retry_after=retry_after, reason=reason, is_final=is_final, sent=sent
        )
        self._forget([lease], lost=not released)
        return released

    async def close(self) -> None:
        if self._renewing:
            self._renewing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._renewing
        await self.frontier.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _forget(self, leases: Iterable[Lease], *, lost: bool = False) -> None:
        for lease in leases:
            if self._held.pop(lease.token, None) and lost:
                self.lost += 1
            self._ends.pop(lease.token, None)
            self._visits.discard(lease.token)
            self._taken.discard(lease.token)
        self.changed.set()

    async def _renew_for_ever(self) -> None:
        while True:
            self._are_shorter.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.frontier.lease_seconds * _RENEWAL):
                    await self._are_shorter.wait()
            try:
                await self.renew([*self._held.values()])
            except FrontierError as error:
                _log.warning("could not renew %d leases: %s", self.held, error)
