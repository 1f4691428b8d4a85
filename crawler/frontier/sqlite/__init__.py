"""The embedded frontier, for one worker, in an SQLite file."""

from __future__ import annotations

from crawler.frontier.sqlite.frontier import SqliteFrontier

__all__ = ["SqliteFrontier"]
