"""What every store of sites' marks guarantees; each implementation runs these tests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from crawler.frontier.sites import SiteStore

CAPACITY = 3

# Runs a coroutine function with two stores of one job, as two workers have them.
Run = Callable[[Callable[[SiteStore, SiteStore], Awaitable[Any]]], Any]


def mark(number: int) -> dict[bytes, bytes]:
    """The marks of one page: any bytes, zeros too."""
    return {bytes([number] * 8): b"\0marks \xff of %d" % number}


def marks(*numbers: int) -> dict[bytes, bytes]:
    return {key: value for number in numbers for key, value in mark(number).items()}


class SitesContract:
    """``run``: a fixture of the implementation."""

    def test_a_host_that_has_enough_gives_all_its_marks_to_every_worker(self, run: Run) -> None:
        async def work(store: SiteStore, other: SiteStore) -> list[list[bytes]]:
            found = [await store.add("a.test", mark(number)) for number in range(CAPACITY)]
            return [*map(sorted, found), sorted(await other.add("a.test", {}))]

        whole = sorted(marks(0, 1, 2).values())
        assert run(work) == [[], [], whole, whole]

    def test_marks_of_a_host_that_has_enough_never_change(self, run: Run) -> None:
        async def work(store: SiteStore, other: SiteStore) -> list[bytes]:
            await store.add("a.test", marks(0, 1, 2))
            await other.add("a.test", {**mark(3), bytes(8): b"another page at the same URL"})
            return sorted(await store.all("a.test"))

        assert run(work) == sorted(marks(0, 1, 2).values())

    def test_what_finds_no_room_is_left_out(self, run: Run) -> None:
        async def work(store: SiteStore, _: SiteStore) -> list[bytes]:
            return sorted(await store.add("a.test", marks(5, 6, 7, 8, 9)))

        assert run(work) == sorted(marks(5, 6, 7).values())

    def test_a_page_that_comes_again_takes_no_second_place(self, run: Run) -> None:
        async def work(store: SiteStore, other: SiteStore) -> list[bytes]:
            await store.add("a.test", mark(0))
            await other.add("a.test", {bytes(8): b"as it is now"})
            assert await store.add("a.test", mark(1)) == []
            return sorted(await store.all("a.test"))

        assert run(work) == sorted([b"as it is now", *mark(1).values()])

    def test_hosts_are_apart_and_unknown_ones_have_nothing(self, run: Run) -> None:
        async def work(store: SiteStore, _: SiteStore) -> list[list[bytes]]:
            await store.add("a.test", mark(0))
            await store.add("[::1]", mark(1))
            hosts = ("a.test", "[::1]", "b.test")
            assert [await store.add(host, {}) for host in hosts] == [[], [], []]
            return [await store.all(host) for host in hosts]

        assert run(work) == [[*mark(0).values()], [*mark(1).values()], []]

    def test_workers_that_add_at_once_agree(self, run: Run) -> None:
        async def work(store: SiteStore, other: SiteStore) -> tuple[list[bytes], list[bytes]]:
            await asyncio.gather(
                *((store, other)[number % 2].add("a.test", mark(number)) for number in range(40))
            )
            return sorted(await store.add("a.test", {})), sorted(await other.all("a.test"))

        found, again = run(work)
        assert found == again
        assert len(found) == CAPACITY
