"""A real Redis of the test's own, or none of the test."""

from __future__ import annotations

import pytest

from benchmarks.fleet_redis import PROGRAM, RedisProcess

__all__ = ["RedisProcess", "needs_redis"]


def needs_redis() -> None:
    """Skip the test where no Redis is installed."""
    if PROGRAM is None:
        pytest.skip("no redis-server or valkey-server is installed")
