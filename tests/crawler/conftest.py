"""Servers that several modules of tests have: each module, or each test, one of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis_process import RedisProcess, needs_redis
from small_web import Web

from crawler.demo import DemoSite, Timings


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
