"""The frontier: all URLs of a job, whether queued, leased, done or dead."""

from __future__ import annotations

from crawler.frontier.base import Ack, Candidate, DeadLetter, Frontier
from crawler.frontier.errors import (
    FrontierError,
    FrontierFullError,
    FrontierGoneError,
    FrontierLockedError,
    FrontierOwnerError,
    FrontierVersionError,
)
from crawler.frontier.fleet import Fleet, SharedFrontier
from crawler.frontier.policy import Policy
from crawler.frontier.shared_cache import SharedCache
from crawler.frontier.sqlite import SqliteFrontier
from crawler.frontier.stats import HostStats, RunStats, Stats
from crawler.frontier.visits import Visit
from crawler.lease import Lease

__all__ = [
    "Ack",
    "Candidate",
    "DeadLetter",
    "Fleet",
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
    "RunStats",
    "SharedCache",
    "SharedFrontier",
    "SqliteFrontier",
    "Stats",
    "Visit",
]
