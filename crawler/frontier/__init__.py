"""The frontier: all URLs of a job, whether queued, leased, done or dead."""

from __future__ import annotations

from crawler.frontier.base import (
    Candidate,
    DeadLetter,
    Frontier,
    HostStats,
    Lease,
    SharedCache,
    Stats,
)
from crawler.frontier.errors import (
    FrontierError,
    FrontierFullError,
    FrontierGoneError,
    FrontierLockedError,
    FrontierOwnerError,
    FrontierVersionError,
)
from crawler.frontier.policy import Policy
from crawler.frontier.sqlite import SqliteFrontier

__all__ = [
    "Candidate",
    "DeadLetter",
    "Frontier",
    "FrontierError",
    "FrontierFullError",
    "FrontierGoneError",
    "FrontierLockedError",
    "FrontierOwnerError",
    "FrontierVersionError",
    "HostStats",
    "Lease",
    "Policy",
    "SharedCache",
    "SqliteFrontier",
    "Stats",
]
