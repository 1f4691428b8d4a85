"""What becomes of a URL that was asked for, in the words that the frontier and reports count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from crawler.frontier.base import Stats

REDIRECTED: Final = "redirected"
OUT_OF_SCOPE: Final = "out-of-scope"
TOO_LARGE: Final = "too-large"
TOO_MANY_CODINGS: Final = "too-many-codings"
NOT_HTML: Final = "not-html"
EMPTY: Final = "empty"
SOFT_ERROR: Final = "soft-error"
PRIVATE_ADDRESS: Final = "private-address"
ROBOTS: Final = "robots"
ROBOTS_UNREACHABLE: Final = "robots-unreachable"
UNREADABLE: Final = "unreadable"
DUPLICATE: Final = "duplicate"
ERROR: Final = "error"


@dataclass(frozen=True, slots=True)
class Keep:
    """A page to be read."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """The ``Location`` header, as it came."""

    location: bytes


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a page did not become a document of the corpus; it is shown among the rejects.

    reason: a short label that statistics count, such as ``too-short``.
    detail: the case at hand, in words for a person; may be empty.
    """

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing to be had there; ``outcome`` is counted."""

    outcome: str


@dataclass(frozen=True, slots=True)
class Retry:
    """Later perhaps. Both times are in seconds.

    reason: None where it was not tried, and no try is counted.
    after: until the URL is tried again; None leaves it to the frontier's backoff.
    host_delay: until any URL of the host may be visited.
    """

    reason: str | None
    after: float | None = None
    host_delay: float | None = None


Verdict = Keep | Redirect | Rejection | Done | Retry


def nothing_fetched(stats: Stats) -> bool:
    """Whether not one URL of the job was fetched: all are given up, or none was dialled.

    >>> nothing_fetched(Stats(added=2, dead=2)), nothing_fetched(Stats(added=2, dead=1, done=1))
    (True, False)
    """
    return stats.done == stats.outcomes.get(PRIVATE_ADDRESS, 0)
