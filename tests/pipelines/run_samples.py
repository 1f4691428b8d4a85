"""A run for the tests of what is told of it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crawler.frontier.stats import Stats
from pipelines.reporting.counts import Totals
from pipelines.reporting.summary import Summary


def summary(**fields: Any) -> Summary:
    """``fields``: of the summary, or of its totals."""
    given: dict[str, Any] = {
        "job": "a job",
        "worker": "worker-1",
        "folder": Path("runs/a"),
        "corpus": Path("runs/a/corpus"),
        "started": datetime(2026, 5, 1, tzinfo=UTC),
        "seconds": 4.0,
        "frontier": Stats(added=9, done=8, queued=1, outcomes={"kept": 6, "gone": 2}),
        **fields,
    }
    counts = {name: given.pop(name) for name in Totals._fields if name in given}
    given["totals"] = Totals(**{"documents": 6, "rejects": 2, **counts})
    return Summary(**given)
