"""What every record of runs promises: in a job's folder, and in Redis."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis_process import RedisProcess

from crawler.frontier.errors import FrontierError
from crawler.frontier.sqlite.file import LOCK_NAME
from crawler.schedule.folder_runs import FolderRuns
from crawler.schedule.redis_runs import RedisRuns
from crawler.schedule.runs import Record, Runs
from crawler.schedule.status import status_of
from settings import parse_job

RAN = Record(since=1.0, number=3, started=2.0, ended=4.5, code=0)
HOLD = """
import fcntl, sys
file = open(sys.argv[1], "w")
fcntl.lockf(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""

Make = Callable[[], Runs]


def in_redis(server: RedisProcess, job: str = "a", lease: float = 60) -> RedisRuns:
    return RedisRuns(server.url, job, patience=5, lease=lease)


@pytest.fixture(params=["folder", "redis"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Another process's hold of the same job's record, which is empty at first."""
    if request.param == "folder":
        return lambda: FolderRuns(tmp_path)
    server: RedisProcess = request.getfixturevalue("shared")
    Redis.from_url(server.url).flushall()
    return lambda: in_redis(server)


class TestEvery:
    def test_it_is_empty_at_first_and_keeps_what_is_written(self, make: Make) -> None:
        async def story() -> None:
            async with make() as runs:
                assert (await runs.look()).record == Record()
                assert await runs.claim()
                await runs.write(RAN)
            async with make() as runs:
                assert (await runs.look()).record == RAN

        asyncio.run(story())

    def test_one_has_the_right_to_run_until_it_gives_it_back(self, make: Make) -> None:
        async def story() -> None:
            async with make() as one, make() as other:
                assert not await other.is_claimed()
                assert await one.claim()
                assert await one.claim(), "it is renewed"
                assert not await other.claim()
                assert await one.is_claimed()
                await other.release()
                assert not await other.claim(), "only who has it gives it back"
                await one.release()
                assert await other.claim()

        asyncio.run(story())

    def test_only_who_has_the_right_writes(self, make: Make) -> None:
        async def story() -> None:
            async with make() as one, make() as other:
                await one.claim()
                await one.write(RAN)
                await other.write(Record(number=9))
                assert (await other.look()).record == RAN

        asyncio.run(story())

    def test_pauses_and_requests_need_no_right_and_are_seen_by_all(self, make: Make) -> None:
        async def story() -> None:
            async with make() as scheduler, make() as operator:
                await scheduler.claim()
                await operator.pause(paused=True)
                await operator.ask()
                state = await scheduler.look()
                assert (state.is_paused, state.is_asked) == (True, True)
                assert await scheduler.take_request()
                assert not await operator.take_request(), "it is taken up once"
                await operator.pause(paused=False)
                await operator.pause(paused=False)
                state = await scheduler.look()
                assert (state.is_paused, state.is_asked) == (False, False)

        asyncio.run(story())


class TestFolder:
    @pytest.fixture
    def crawl(self, tmp_path: Path) -> Iterator[None]:
        """A crawl by hand, as far as its lock goes."""
        program = [sys.executable, "-I", "-S", "-c", HOLD, str(tmp_path / LOCK_NAME)]
        pipe = subprocess.PIPE
        with subprocess.Popen(program, stdin=pipe, stdout=pipe) as process:  # noqa: S603 - ours
            assert process.stdout is not None
            assert process.stdout.readline() == b"held\n"
            yield
            process.communicate()

    @pytest.mark.usefixtures("crawl")
    def test_a_crawl_by_hand_has_the_right(self, tmp_path: Path) -> None:
        async def story() -> None:
            async with FolderRuns(tmp_path) as runs:
                assert not await runs.claim()
                assert await runs.is_claimed()

        asyncio.run(story())

    @pytest.mark.usefixtures("crawl")
    @pytest.mark.parametrize("ended", [None, 30.0])
    def test_while_a_job_runs_its_next_start_is_still_to_come(
        self, tmp_path: Path, ended: float | None
    ) -> None:
        text = 'name = "a"\nseeds.urls = ["http://localhost/"]\nschedule.every = "1h"'
        job = parse_job(f'{text}\noutputs.folder = "{tmp_path}"')
        record = tmp_path / "schedule" / "runs.json"
        record.parent.mkdir()
        record.write_bytes(Record(since=0.0, number=1, started=0.0, ended=ended).text())
        now = time.time()
        status = asyncio.run(status_of(tmp_path / "a.toml", job, count=2))
        assert status.doing == "runs"
        assert now < status.next[0] == status.next[1] - 3600
        assert status.next[0] % 3600 == 0

    def test_looking_writes_nothing(self, tmp_path: Path) -> None:
        async def story() -> None:
            async with FolderRuns(tmp_path / "new") as runs:
                await runs.look()
                assert not await runs.is_claimed()

        asyncio.run(story())
        assert not (tmp_path / "new").exists()

    @pytest.mark.parametrize("text", ["", "[]", '{"since": 1, "odd": 2}'])
    def test_a_damaged_record_is_told_of(self, tmp_path: Path, text: str) -> None:
        file = tmp_path / "schedule" / "runs.json"
        file.parent.mkdir()
        file.write_text(text)
        with pytest.raises(FrontierError, match=r"is damaged .* remove it"):
            asyncio.run(FolderRuns(tmp_path).look())


class TestRedis:
    def test_a_lease_that_is_not_renewed_falls_to_others(self, shared: RedisProcess) -> None:
        async def story() -> None:
            async with (
                in_redis(shared, "late", lease=0.2) as late,
                in_redis(shared, "late") as other,
            ):
                await late.claim()
                await asyncio.sleep(0.3)
                assert await other.claim()
                await other.write(RAN)
                assert not await late.claim()
                await late.write(Record(number=9))
                await late.release()
                assert not await late.claim()
                assert (await late.look()).record == RAN

        asyncio.run(story())

    def test_the_time_is_the_servers(self, shared: RedisProcess) -> None:
        async def story() -> float:
            async with in_redis(shared) as runs:
                return (await runs.look()).now

        seconds, micros = Redis.from_url(shared.url).time()  # type: ignore[misc]
        assert 0 <= asyncio.run(story()) - seconds - micros / 1e6 < 5

    def test_a_damaged_record_is_told_of(self, shared: RedisProcess) -> None:
        Redis.from_url(shared.url).hset("crawl:{damaged}:schedule", "runs", "{")
        with pytest.raises(FrontierError, match=r"is damaged .* delete it"):
            asyncio.run(in_redis(shared, "damaged").look())
