"""The frontier that many workers share, in Redis."""

from __future__ import annotations

from crawler.frontier.redis.frontier import RedisFrontier

__all__ = ["RedisFrontier"]
