"""How many pages are known to come."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from crawler.adaptive.backlog import Backlog
from crawler.frontier import Ack, Candidate, Lease, SqliteFrontier
from crawler.frontier.lease_holder import LeaseHolder

Story = Callable[[LeaseHolder, list[Lease]], Awaitable[list[int]]]


def told(folder: Path, pages: int, story: Story) -> list[int]:
    """What becomes of so many leased pages, each of its own host."""

    async def work() -> list[int]:
        async with LeaseHolder(await SqliteFrontier.open(folder)) as leases:
            await leases.add([Candidate(f"http://{n}.example/") for n in range(pages)])
            return await story(leases, await leases.lease(pages))

    return asyncio.run(work())


@pytest.mark.parametrize("is_rendered", [False, True])
def test_pages_that_were_taken_are_not_to_come_though_they_are_still_leased(
    is_rendered: bool, tmp_path: Path
) -> None:
    async def story(leases: LeaseHolder, pages: list[Lease]) -> list[int]:
        backlog, known = Backlog(None), []
        for page in pages:
            known.append(await backlog.take(leases))
            if is_rendered:
                backlog.rendering += 1
            else:
                await leases.fetched([page])
        return known

    assert told(tmp_path, 30, story) == [*range(30, 0, -1)]


def test_no_more_are_to_come_than_may_be_read(tmp_path: Path) -> None:
    async def story(leases: LeaseHolder, pages: list[Lease]) -> list[int]:
        backlog, known = Backlog(20), []
        for page in pages[:20]:
            known.append(await backlog.take(leases))
            await leases.ack_all([Ack(page, "kept", page=True)])
        return known

    assert told(tmp_path, 30, story) == [*range(20, 0, -1)]


def test_what_was_no_page_takes_no_page_from_them(tmp_path: Path) -> None:
    async def story(leases: LeaseHolder, pages: list[Lease]) -> list[int]:
        for page in pages[:5]:
            await leases.ack(page, "redirected")
        return [await Backlog(20).take(leases)]

    assert told(tmp_path, 30, story) == [20]


def test_what_the_first_page_links_to_is_known_at_the_second(tmp_path: Path) -> None:
    async def story(leases: LeaseHolder, pages: list[Lease]) -> list[int]:
        backlog = Backlog(None)
        first = await backlog.take(leases)
        await leases.add([Candidate(f"http://0.example/{n}") for n in range(60)])
        await leases.ack(pages[0], "kept")
        return [first, await backlog.take(leases)]

    assert told(tmp_path, 1, story) == [1, 60]
