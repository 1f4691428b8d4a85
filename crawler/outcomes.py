"""Verdicts on requested URLs, and the labels that the frontier and the reports count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# Labels, all explained in docs/reference/outcomes.md; those that end in a sign or space go on.
KEPT: Final = "kept"
UNCHANGED: Final = "unchanged"
NOT_MODIFIED: Final = "not-modified"
FAILED: Final = "failed: "
HELD: Final = "held"
REJECTED: Final = "rejected: "
REDIRECTED: Final = "redirected"
REDIRECT_LOOP: Final = "redirect-loop"
REDIRECT_INVALID: Final = "redirect-invalid"
REDIRECT_OUT_OF_SCOPE: Final = "redirect-out-of-scope"
OUT_OF_SCOPE: Final = "out-of-scope"
BLOCKED: Final = "blocked"
DROPPED: Final = "dropped"
NOT_FOUND: Final = "not-found"
GONE: Final = "gone"
HTTP: Final = "http-"
REFUSALS: Final = tuple(f"{HTTP}{status}" for status in (401, 402, 403, 451))
"""Statuses by which owners refuse a page; by RFC 9110, 403 may stand for 404, and the reverse."""
TIMEOUT: Final = "timeout"
DNS: Final = "dns"
CONNECTION: Final = "connection: "
INTERNAL_ERROR: Final = "internal-error: "
TOO_LARGE: Final = "too-large"
TOO_MANY_ENCODINGS: Final = "too-many-codings"
NOT_HTML: Final = "not-html"
EMPTY: Final = "empty"
SOFT_ERROR: Final = "soft-error"
CAPTCHA: Final = "captcha"
CONSENT_WALL: Final = "consent-wall"
LOGIN_WALL: Final = "login-wall"
PARKED: Final = "parked"
PRIVATE_ADDRESS: Final = "private-address"
ROBOTS: Final = "robots"
ROBOTS_UNREACHABLE: Final = "robots-unreachable"
HOST_DOWN: Final = "host-down"
UNREADABLE: Final = "unreadable"
DUPLICATE: Final = "duplicate"
CONSENT: Final = "consent"
ERROR: Final = "error"


@dataclass(frozen=True, slots=True)
class Keep:
    """Process the page."""


@dataclass(frozen=True, slots=True)
class Redirect:
    """Follow the redirect. location: the raw header."""

    location: bytes


@dataclass(frozen=True, slots=True)
class Rejection:
    """Reject the page: it becomes a reject instead of a document.

    reason: a short label, counted in the statistics, such as ``too-short``.
    detail: for the user; may be empty.
    """

    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A known page is as it was, so nothing of it is written. why: for the log."""

    why: str


Judgement = Rejection | Unchanged | None
"""What became of a document: None if it was written, as the first or a new version of its page."""


@dataclass(frozen=True, slots=True)
class Done:
    """Acknowledge the URL with ``outcome``; there is no page.

    sent: whether anything was sent to the host.
    """

    outcome: str
    sent: bool = True


@dataclass(frozen=True, slots=True)
class Retry:
    """Retry the URL later. Times are in seconds.

    reason: why it failed; None if it was not tried, so that no try is counted.
    after: until the URL is retried; None leaves it to the frontier's backoff.
    host_delay: until any URL of the host may be visited.
    is_final: whether no later try of this run can succeed.
    of_host: whether it was the host that failed, or refused, so that other URLs would fail too.
    sent: whether anything was sent to the host.
    of_browser: whether the page was there, and a browser has failed to render it.
    """

    reason: str | None
    after: float | None = None
    host_delay: float | None = None
    is_final: bool = False
    of_host: bool = False
    sent: bool = True
    of_browser: bool = False


Verdict = Keep | Redirect | Rejection | Done | Retry


def counts_as_page(outcome: str) -> bool:
    """Whether a URL that became this counts towards ``limits.pages``.

    >>> [counts_as_page(outcome) for outcome in ("held", "rejected: empty", "gone", "blocked")]
    [True, True, False, False]
    """
    return outcome in (KEPT, UNCHANGED, HELD) or outcome.startswith(REJECTED)
