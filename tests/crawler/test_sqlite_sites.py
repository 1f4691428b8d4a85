"""The marks of sites in an embedded frontier."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from sites_contract import CAPACITY, Run, SitesContract, mark

from crawler.frontier import SqliteFrontier
from crawler.frontier.sites import SiteStore


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def run(work: Callable[[SiteStore, SiteStore], Awaitable[Any]]) -> Any:
        async def opened() -> Any:
            async with await SqliteFrontier.open(tmp_path) as frontier:
                return await work(frontier.sites(CAPACITY), frontier.sites(CAPACITY))

        return asyncio.run(opened())

    return run


class TestSqliteSites(SitesContract):
    pass


def test_what_is_known_of_a_site_is_known_to_the_next_run(run: Run) -> None:
    async def add(store: SiteStore, _: SiteStore) -> None:
        await store.add("a.test", mark(7))

    async def read(store: SiteStore, _: SiteStore) -> list[bytes]:
        return await store.all("a.test")

    run(add)
    assert run(read) == [*mark(7).values()]
