"""The frontier of one worker, in one SQLite file."""

from __future__ import annotations

from crawler.frontier.sqlite.frontier import SqliteFrontier

__all__ = ["SqliteFrontier"]
