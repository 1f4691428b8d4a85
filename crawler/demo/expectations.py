"""The expected result for every URL of the demo site, from ``examples/demo/expected.json``.

Tests compare the documents, rejects and dead letters of a crawl with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final, Literal

from crawler.demo.site import SOURCE

Outcome = Literal["document", "rejected", "failed", "redirected", "not_fetched", "feed"]

REASONS: Final[dict[str, frozenset[str]]] = {
    "document": frozenset({""}),
    "rejected": frozenset({"duplicate", "empty", "not_html", "soft_error", "too_short"}),
    "failed": frozenset(
        {
            "connection",
            "gone",
            "not_found",
            "private_address",
            "redirect_loop",
            "server_error",
            "timeout",
            "too_large",
        }
    ),
    "redirected": frozenset({""}),
    "not_fetched": frozenset(
        {"nofollow", "private_address", "robots", "same_url", "scheme", "scope", "unlinked"}
    ),
    "feed": frozenset({""}),
}
"""The possible reasons of each outcome; classes, independent of the crawler's own labels."""


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """The expected result of a crawl for one URL.

    ``url``: a path of the site with its query, or an absolute URL of another site.
    ``outcome``: a document; rejected after it was fetched; failed to be fetched; redirected to
    ``to``; not fetched (because of robots.txt, nofollow or scope); or a feed (robots.txt,
    sitemaps, RSS), which is read but not kept.
    ``status``: of the first response; None if there is none, or the URL is not requested.
    ``must``: sentences of the main content. ``must_not``: boilerplate of the same page.
    ``needs_rendering``: without a browser, the page is rejected as empty.
    ``same_as``: the path of the page that a duplicate or another spelling repeats. Of two pages
    with the same text, the first to be fetched is kept, so they may swap roles.
    """

    url: str
    outcome: Outcome
    reason: str = ""
    status: int | None = None
    to: str = ""
    same_as: str = ""
    page_type: str = ""
    genre: str = ""
    language: str = ""
    needs_rendering: bool = False
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        reasons = REASONS.get(self.outcome)
        if reasons is None:
            raise ValueError(f"{self.url}: outcome {self.outcome!r} must be one of {list(REASONS)}")
        if self.reason not in reasons:
            raise ValueError(
                f"{self.url}: reason {self.reason!r} must be one of {sorted(reasons)} "
                f"for the outcome {self.outcome!r}"
            )


def expectations() -> dict[str, Expectation]:
    """By URL, in the order of the file. Raises ValueError for an invalid entry."""
    file = SOURCE / "expected.json"
    entries = json.loads(file.read_text(encoding="utf-8"))
    found = {}
    for url, entry in entries.items():
        sentences = {name: tuple(entry.get(name, ())) for name in ("must", "must_not")}
        try:
            found[url] = Expectation(url=url, **{**entry, **sentences})
        except TypeError as error:
            raise ValueError(f"{file}: {url}: {error}") from error
    return found
