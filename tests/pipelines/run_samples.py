"""A run for the tests of what is told of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from crawler.frontier.base import Stats
from pipelines.summary import Summary


def summary(**fields: object) -> Summary:
    given = {
        "job": "a job",
        "worker": "worker-1",
        "folder": Path("runs/a"),
        "corpus": Path("runs/a/corpus"),
        "started": datetime(2026, 5, 1, tzinfo=UTC),
        "seconds": 4.0,
        "frontier": Stats(added=9, done=8, queued=1, outcomes={"kept": 6, "gone": 2}),
        "documents": 6,
        "rejects": 2,
        **fields,
    }
    return Summary(**given)  # type: ignore[arg-type]
