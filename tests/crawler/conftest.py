"""What several modules of tests have, such as servers: each module, or each test, its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import loaded_program
import pytest
from blocking_frontier import Clock
from redis_process import RedisProcess, needs_redis
from small_web import Web

from benchmarks import fault_crawl
from crawler.demo import DemoSite, Timings

_BEGIN = fault_crawl.begin


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    """The demo site; its slow page takes a second."""
    with DemoSite(timings=Timings(slow=1.0)) as running:
        yield running


@pytest.fixture
def web() -> Iterator[Web]:
    with Web() as running:
        yield running


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisProcess]:
    """A Redis for all tests of a module."""
    needs_redis()
    with RedisProcess(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def own(tmp_path: Path) -> Iterator[RedisProcess]:
    """A Redis for one test, which keeps all it has confirmed."""
    needs_redis()
    with RedisProcess(tmp_path, append_only=True) as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="module")
def loaded_crawls() -> Iterator[None]:
    """Crawls of ``benchmarks`` are forked when all is loaded, see ``loaded_program``."""

    def begin(
        arguments: Sequence[str], errors: IO[str], variables: Mapping[str, str]
    ) -> loaded_program.Program:
        return loaded_program.start(
            "crawler", *arguments, environment=variables, stderr=errors.fileno()
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fault_crawl, "begin", begin)
        yield


@pytest.fixture
def fresh_crawls(loaded_crawls: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are processes of their own again."""
    monkeypatch.setattr(fault_crawl, "begin", _BEGIN)
