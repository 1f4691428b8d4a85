"""Snapshots of a job whose frontier takes its time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from live_server import JOB

from crawler.frontier import Frontier, FrontierError, SqliteFrontier
from live.watch import Watch


def test_who_asks_in_an_outage_is_told_soon_and_the_next_gets_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("live.watch._PATIENCE", 0.0)

    async def work() -> None:
        is_over, asked = asyncio.Event(), 0
        async with await SqliteFrontier.open(tmp_path) as frontier:

            async def waited() -> Frontier:
                nonlocal asked
                asked += 1
                await is_over.wait()
                return frontier

            watch = Watch(JOB, waited)
            for _ in range(3):
                with pytest.raises(FrontierError, match="does not answer"):
                    await watch.snapshot()
            is_over.set()
            monkeypatch.setattr("live.watch._PATIENCE", 20.0)
            assert (await watch.snapshot()).job == JOB.name
            assert asked == 1

    asyncio.run(work())


def test_no_question_outlives_the_crawl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("live.watch._PATIENCE", 0.0)

    async def work() -> None:
        async def never() -> Frontier:
            await asyncio.Event().wait()
            raise AssertionError

        watch = Watch(JOB, never)
        with pytest.raises(FrontierError):
            await watch.snapshot()
        watch.finish(None)
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(work())
