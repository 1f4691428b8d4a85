"""A real Redis of the test's own, or none of the test."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.redis_process import PROGRAM, RedisProcess

__all__ = ["RedisProcess", "needs_redis", "redis_with_tls"]

# How Redis 6.2 and Valkey say that they were built without TLS.
_NO_TLS = ("Bad directive", "Failed finding TLS support")


def needs_redis() -> None:
    """Skip the test where no Redis is installed."""
    if PROGRAM is None:
        pytest.skip("no redis-server or valkey-server is installed")


@contextlib.contextmanager
def redis_with_tls(folder: Path, *options: str) -> Iterator[RedisProcess]:
    """A server with options of TLS; skips the test where the server was built without it."""
    server = RedisProcess(folder, *options)
    try:
        server.start()
    except RuntimeError as error:
        if any(words in str(error) for words in _NO_TLS):
            pytest.skip("the server was built without TLS")
        raise
    try:
        yield server
    finally:
        server.stop()
