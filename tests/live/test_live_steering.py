"""Any frontier that is shared is watched and steered, whatever stores it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from live_server import JOB

from crawler.frontier import Fleet, Frontier, FrontierError, SharedFrontier, SqliteFrontier
from crawler.frontier.fleet import State
from live.steering import Steering
from live.watch import Watch


class OtherStore(SqliteFrontier, SharedFrontier):
    """It is in no Redis."""

    async def fleet(self) -> Fleet:
        return Fleet(self.state, {}, 0.0)

    async def set_state(self, state: State) -> None:
        self.state = state

    async def is_freed(self) -> bool:
        return self.state == "freed"

    async def publish(self, worker: str, report: bytes, seconds: float) -> None:
        """Nobody does."""

    async def reports(self) -> dict[str, bytes]:
        return {}

    state: State = "running"


def test_each_action_sets_the_state_that_its_watchers_see(tmp_path: Path) -> None:
    async def work() -> None:
        async with await OtherStore.open(tmp_path) as store:

            async def given() -> Frontier:
                return store

            steering, watch = Steering(given), Watch(JOB, given)
            seen = []
            for action in ("pause", "stop", "resume"):
                await steering.act(action)
                watch.changed()
                seen.append((store.state, (await watch.snapshot()).state))
            assert seen == [("paused", "paused"), ("stopped", "stopped"), ("running", "idle")]
            await store.set_state("freed")
            with pytest.raises(FrontierError, match="is being removed"):
                await steering.act("resume")

    asyncio.run(work())


def test_a_frontier_without_a_fleet_has_nobody_to_steer(tmp_path: Path) -> None:
    async def work() -> None:
        async with await SqliteFrontier.open(tmp_path) as store:

            async def given() -> Frontier:
                return store

            with pytest.raises(FrontierError, match="no workers but its own crawl"):
                await Steering(given).act("stop")

    asyncio.run(work())
