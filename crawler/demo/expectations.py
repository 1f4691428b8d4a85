"""What should come of every URL of the demo site: ``examples/demo/expected.json``, typed.

Tests of the crawl compare its documents, rejects and dead letters with these.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from crawler.demo.site import SOURCE

Outcome = Literal["document", "rejected", "failed", "redirected", "not_fetched", "feed"]

REASONS: Final[dict[str, frozenset[str]]] = {
    "document": frozenset({""}),
    "rejected": frozenset(
        {"duplicate", "empty", "encoding", "not_html", "soft_error", "too_short"}
    ),
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
"""The reasons each outcome can have: classes, whatever a part of the crawler calls them."""


@dataclass(frozen=True, kw_only=True)
class Expectation:
    """What a crawl of the whole site should make of one URL.

    ``url``: a path of the site with its query, or a whole URL that leads elsewhere.
    ``outcome``: a document; rejected after it was fetched; failed to be fetched; redirected to
    ``to``; never asked for (not_fetched: robots, nofollow, scope); or a feed (robots.txt,
    sitemaps, RSS), which is read and kept by nobody.
    ``status``: of the first answer; None where there is none, or the site is not asked.
    ``must``: sentences of the main content; ``must_not``: boilerplate of the same page.
    ``needs_rendering``: without a browser the page is rejected as empty.
    ``or_document``: a document that holds all of ``must`` is as good as the rejection.
    ``same_as``: the path that a duplicate or another spelling of a URL repeats. Of two pages with
    the same text the one that comes first is kept, so they may change places.
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
    or_document: bool = False
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        reasons = REASONS.get(self.outcome)
        if reasons is None:
            raise ValueError(f"{self.url}: outcome {self.outcome!r} must be one of {list(REASONS)}")
        if self.reason not in reasons:
            raise ValueError(
                f"{self.url}: reason {self.reason!r} must be one of {sorted(reasons)} "
                f"where the outcome is {self.outcome!r}"
            )


def expectations(file: Path = SOURCE / "expected.json") -> dict[str, Expectation]:
    """By URL, in the order of the file. Raises ValueError, with the URL, for what is no entry."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    found = {}
    for url, entry in entries.items():
        sentences = {name: tuple(entry.get(name, ())) for name in ("must", "must_not")}
        try:
            found[url] = Expectation(url=url, **{**entry, **sentences})
        except TypeError as error:
            raise ValueError(f"{file}: {url}: {error}") from error
    return found
