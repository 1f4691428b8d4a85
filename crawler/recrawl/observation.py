"""What a visit found, and what is remembered of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from crawler.recrawl.history import History
from crawler.recrawl.validators import etag_of, last_modified_of

Seen = Literal["changed", "unchanged", "not-modified", "gone", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a visit found; at the first visit, ``seen`` is "changed".

    seen: "not-modified": the server said so (304). "gone": 404, 410, refused by its owner or
        robots.txt, or moved elsewhere. "failed": an answer that says nothing of the page, such as
        400, or none, and no tries are left.
    fingerprint: of the text, for the next visit to compare; empty if there is none.
    version: of the text; 0 if none is kept.
    page_type: as ``History.page_type``.
    new_links: how many URLs the page listed that were new to the frontier.
    headers: of the response, in the form of ``Page.headers``; leave them out if a browser rendered
        the page, since its validators then say nothing about the text.
    gain: what rendering brought, 0 if it failed; None if the page was not rendered, or not to see
        what that brings.
    """

    seen: Seen
    fingerprint: str = ""
    version: int = 0
    page_type: str = ""
    new_links: int = 0
    headers: tuple[tuple[str, str], ...] = ()
    gain: float | None = None

    @property
    def is_answer(self) -> bool:
        """Whether the page was there."""
        return self.seen not in ("gone", "failed")

    @property
    def is_read(self) -> bool:
        """Whether its body was read."""
        return self.is_answer and self.seen != "not-modified"


def remembered(before: History | None, found: Observation, now: int) -> History:
    """The history after a visit, but for the estimate of the changes. before: None at the first."""
    if before is None:
        before = History(visited_at=now, first_seen=now, changed_at=now)
    if found.seen == "failed":
        return replace(before, gain=_faded(before.gain, found.gain))
    if found.seen == "gone":
        return replace(before, misses=before.misses + 1)
    if found.seen == "not-modified":
        return replace(before, visited_at=now, misses=0, unread=before.unread + 1)
    headers = dict(found.headers)
    is_still_buried = before.is_buried and found.version <= before.version
    return replace(
        before,
        visited_at=now,
        changed_at=now if found.seen == "changed" else before.changed_at,
        version=found.version or before.version,
        fingerprint=found.fingerprint or before.fingerprint,
        page_type=found.page_type or before.page_type,
        etag=etag_of(headers),
        last_modified=last_modified_of(headers, now),
        misses=before.misses if is_still_buried else 0,
        unread=0,
        gain=before.gain if found.gain is None else found.gain,
    )


def _faded(before: float | None, found: float | None) -> float | None:
    """A page that cannot be rendered any more is not tried for ever."""
    return before if before is None or found is None else (before + found) / 2
