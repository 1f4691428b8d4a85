"""``genre-crawler live``: the page of all workers that share a Redis."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import loaded_program
import pytest
from asking import asked
from live_server import document, report, wait_until
from live_site import EVIL, events, started
from redis import Redis

from benchmarks.free_port import free_port
from benchmarks.redis_process import PROGRAM, RedisProcess
from crawler.frontier import Candidate, FrontierError
from crawler.frontier.policy import Policy
from crawler.frontier.redis import RedisFrontier, frontier
from crawler.logs import VARIABLE
from genre_crawler.command_line import main
from live.command import _Attached
from live.documents import NewestDocuments
from live.place import TOKEN
from settings import load_job

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no redis-server is installed")

SECRET = "a-token-of-24-characters"  # noqa: S105 - of the test
JOB = """name = "fleet"
seeds.urls = ["http://localhost/"]
frontier.url = "{url}"
live.port = {port}
"""


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[RedisProcess]:
    server = RedisProcess(tmp_path)
    server.start()
    yield server
    server.stop()


def job_file(folder: Path, url: str) -> Path:
    file = folder / "job.toml"
    file.write_text(JOB.format(url=url, port=free_port()), encoding="utf-8")
    return file


async def crawled(url: str, *workers: str) -> None:
    """Each worker has kept a page, rejected one and given one up, and reports."""
    policy = Policy(delay=0, visits_per_host=3, tries=1)
    for name in workers:
        frontier = await RedisFrontier.open(url, "fleet", policy, worker=name)
        await frontier.add([Candidate(f"http://{name}.test/{n}") for n in range(4)])
        kept, rejected, dead = await frontier.lease(3)
        await frontier.ack(kept, "kept", page=True)
        await frontier.ack(rejected, "rejected: too-short", page=True)
        await frontier.release(dead, reason=f"http-500 of {name}")
        documents = NewestDocuments()
        documents.add(document(name, title=EVIL))
        own = report(worker=name, documents=documents.newest())
        await frontier.publish(name, own.to_json(), 60)
        await frontier.publish("long-dead", own.to_json(), -1)
        await frontier.close()


def test_it_shows_and_steers_the_whole_fleet(redis: RedisProcess, tmp_path: Path) -> None:
    asyncio.run(crawled(redis.url, "a", "b"))
    with started("live", str(job_file(tmp_path, redis.url))) as (address, process):
        origin = address.rstrip("/")
        shown = events(address)

        def told() -> dict[str, Any]:
            return cast(dict[str, Any], next(shown))

        def act(action: str, body: bytes = b"{}") -> int:
            path = f"actions/{action}"
            return asked(address, path, method="POST", body=body, Origin=origin)[0]

        first = told()
        assert first["state"] == "running"
        assert [one["worker"] for one in first["workers"]] == ["a", "b"]
        assert first["static"] == 8.5
        totals = {"documents": 2, "rejects": 2, "held": 0, "unchanged": 0}
        assert first["totals"] == totals, "of all workers, also those that report no more"
        assert sorted(one["id"] for one in first["documents"]) == ["a", "b"]
        assert sorted(first["dead"]) == [["http-500 of a", 1], ["http-500 of b", 1]]

        metrics = asked(address, "metrics")[1].decode()
        for worker in "ab":
            expected = f'rejects_total{{crawl="fleet",reason="too-short",worker="{worker}"}} 3.0'
            assert expected in metrics

        assert act("retry", b'{"reason": "http-500 of a"}') == 200
        wait_until(lambda: told()["dead"] == [["http-500 of b", 1]])
        for action, state in (("pause", "paused"), ("resume", "running"), ("stop", "stopped")):
            assert act(action) == 200
            wait_until(lambda state=state: told()["state"] == state)  # type: ignore[misc]
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0


def test_it_is_reached_from_elsewhere_by_its_token_and_outlives_a_restart_of_redis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis = RedisProcess(tmp_path, append_only=True)
    redis.start()
    asyncio.run(crawled(redis.url, "a"))
    monkeypatch.setenv(TOKEN, SECRET)
    command = ("live", str(job_file(tmp_path, redis.url)), "--address", "0.0.0.0")  # noqa: S104
    with started(*command) as (address, _):
        assert address.endswith(f"/{SECRET}/")
        bearer = {"Authorization": f"Bearer {SECRET}"}
        root = address.removesuffix(f"{SECRET}/")
        assert asked(root, "metrics")[0] == 403
        assert asked(root, "metrics", Host="live:8750", **bearer)[0] == 200
        shown = cast(Iterator[dict[str, Any]], events(address))
        assert next(shown)["state"] == "running"
        redis.stop()
        redis.start()
        restarted = time.time()
        assert any(one.get("at", 0.0) > restarted for one in shown)
    redis.stop()


def test_its_log_is_for_programs_if_it_is_told_so(
    redis: RedisProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(crawled(redis.url, "a"))
    monkeypatch.setenv(VARIABLE, "json")
    command = ("genre_crawler", "live", str(job_file(tmp_path, redis.url)))
    process = loaded_program.start(*command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        assert process.stderr is not None
        line = json.loads(process.stderr.readline())
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert (line["level"], line["logger"]) == ("INFO", "live.command")
    assert line["message"].startswith("watch fleet at http://127.0.0.1:")


def test_a_redis_that_is_back_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(frontier, "_IMPATIENCE", 0.2)
    redis = RedisProcess(tmp_path, append_only=True)
    redis.start()

    async def work() -> None:
        await crawled(redis.url, "a")
        attached = _Attached(load_job(job_file(tmp_path, redis.url)))
        await attached.frontier()
        redis.stop()
        with pytest.raises(FrontierError):
            await attached.frontier()
        redis.start()
        await attached.frontier()
        await attached.close()

    asyncio.run(work())
    redis.stop()
    assert caplog.messages[-1] == f"{redis.url} is back"


def test_a_job_that_was_lost_and_begun_anew_is_shown(redis: RedisProcess, tmp_path: Path) -> None:
    asyncio.run(crawled(redis.url, "a"))
    with started("live", str(job_file(tmp_path, redis.url))) as (address, _):
        assert asked(address, "metrics")[0] == 200
        with Redis.from_url(redis.url) as client:
            client.flushall()
        wait_until(lambda: asked(address, "metrics")[0] == 503)
        asyncio.run(crawled(redis.url, "b"))
        wait_until(lambda: asked(address, "metrics")[0] == 200)


def test_an_address_that_is_none_is_named_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = job_file(tmp_path, "redis://localhost")
    with pytest.raises(SystemExit, match="2"):
        main(["live", str(file), "--address", "foo"])
    assert capsys.readouterr().err.count("'foo'") == 1


@pytest.mark.parametrize("command", ["live", "schedule run"])
def test_a_log_of_another_kind_is_refused(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(VARIABLE, "jsn")
    assert main([*command.split(), str(job_file(tmp_path, "redis://localhost"))]) == 2
    assert f'{VARIABLE} is "jsn"; it must be "text" or "json"' in capfd.readouterr().err


@pytest.mark.parametrize(
    ("lines", "code", "told"),
    [
        ("", 2, 'frontier.url is "embedded"; the page of such a job is served by its crawl'),
        ('frontier.url = "redis://127.0.0.1:1/0"', 3, "127.0.0.1:1"),
        ("live.port = 0", 2, "live.port is 0; it must be"),
    ],
)
def test_what_it_cannot_show_is_told(
    tmp_path: Path, lines: str, code: int, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "job.toml"
    file.write_text(f'name = "x"\nseeds.urls = ["http://localhost/"]\n{lines}\n', encoding="utf-8")
    assert main(["live", str(file)]) == code
    assert told in capfd.readouterr().err
