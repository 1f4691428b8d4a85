"""The frontier that many workers share, in one Redis."""

from __future__ import annotations

from crawler.frontier.redis.frontier import RedisFrontier

__all__ = ["RedisFrontier"]
