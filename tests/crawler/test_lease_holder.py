"""The frontier as one worker sees it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from blocking_frontier import Clock

from crawler.frontier import Candidate, FrontierError, Lease, Policy, SqliteFrontier, lease_holder
from crawler.frontier.lease_holder import LeaseHolder

PAGE = Candidate("http://example.com/")
LIFE = 300.0


def test_a_new_url_wakes_whoever_waits_for_a_lease(tmp_path: Path) -> None:
    async def work() -> tuple[bool, bool]:
        async with LeaseHolder(await SqliteFrontier.open(tmp_path)) as frontier:
            await frontier.add([PAGE])
            woken = frontier.changed.is_set()
            frontier.changed.clear()
            await frontier.add([PAGE])
            return woken, frontier.changed.is_set()

    assert asyncio.run(work()) == (True, False)


def test_so_does_a_visit_that_ends(tmp_path: Path) -> None:
    async def work() -> tuple[int, int, bool]:
        async with LeaseHolder(await SqliteFrontier.open(tmp_path)) as frontier:
            await frontier.add([PAGE])
            leases = await frontier.lease(1)
            visits = frontier.visits
            frontier.changed.clear()
            await frontier.fetched(leases)
            return visits, frontier.visits, frontier.changed.is_set()

    assert asyncio.run(work()) == (1, 0, True)


def test_a_lease_lives_from_when_it_was_asked_for_however_late_the_answer_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()

    async def work() -> None:
        store = await SqliteFrontier.open(tmp_path, Policy(lease_seconds=LIFE), clock=clock)
        answer_lease, answer_renew = store.lease, store.renew

        async def lease_late(n: int) -> list[Lease]:
            leases = await answer_lease(n)
            clock.pass_(10)
            return leases

        async def renew_late(leases: Iterable[Lease]) -> list[Lease]:
            kept = await answer_renew(leases)
            clock.pass_(10)
            return kept

        monkeypatch.setattr(store, "lease", lease_late)
        monkeypatch.setattr(store, "renew", renew_late)
        async with LeaseHolder(store, clock=clock) as frontier:
            await frontier.add([PAGE])
            (lease,) = await frontier.lease(1)
            for _ in range(2):
                clock.pass_(LIFE - 11)
                assert frontier.holds(lease)
                clock.pass_(1)
                assert not frontier.holds(lease)
                await frontier.renew([lease])

    asyncio.run(work())


def test_what_is_done_while_it_is_renewed_is_not_held_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        store = await SqliteFrontier.open(tmp_path)
        async with LeaseHolder(store) as frontier:
            await frontier.add([PAGE])
            (lease,) = await frontier.lease(1)
            renew = store.renew

            async def done_meanwhile(leases: Iterable[Lease]) -> list[Lease]:
                kept = await renew(leases)
                await frontier.ack(lease, "kept")
                return kept

            monkeypatch.setattr(store, "renew", done_meanwhile)
            await frontier.renew([lease])
            assert not frontier.holds(lease)
            assert (frontier.held, frontier.lost) == (0, 0)

    asyncio.run(work())


def test_a_renewal_that_fails_is_followed_by_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lease_holder, "_RENEWAL", 1e-4)
    renewed = asyncio.Event()

    async def work() -> None:
        store = await SqliteFrontier.open(tmp_path)
        renew, troubles = store.renew, [FrontierError("no room"), FrontierError("no room")]

        async def in_trouble(leases: Iterable[Lease]) -> list[Lease]:
            if troubles:
                raise troubles.pop()
            renewed.set()
            return await renew(leases)

        monkeypatch.setattr(store, "renew", in_trouble)
        async with LeaseHolder(store) as frontier:
            await frontier.add([PAGE])
            (lease,) = await frontier.lease(1)
            frontier.start()
            async with asyncio.timeout(30):
                await renewed.wait()
            assert await frontier.ack(lease, "kept")

    asyncio.run(work())
    assert caplog.text.count("could not renew 1 leases: no room") == 2
