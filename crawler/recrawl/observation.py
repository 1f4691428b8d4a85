"""What a visit found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Seen = Literal["changed", "unchanged", "not-modified", "gone", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a visit found; at the first visit, ``seen`` is "changed".

    seen: "not-modified": the server said so (304). "gone": 404, 410, forbidden by robots.txt, or
        moved elsewhere. "failed": no answer, and no tries are left.
    fingerprint: of the text, for the next visit to compare; empty if there is none.
    version: of the text; 0 if none is kept.
    page_type: as ``History.page_type``.
    new_links: how many URLs the page listed that were new to the frontier.
    headers: of the response, in the form of ``Page.headers``; leave them out if a browser rendered
        the page, since its validators then say nothing about the text.
    """

    seen: Seen
    fingerprint: str = ""
    version: int = 0
    page_type: str = ""
    new_links: int = 0
    headers: tuple[tuple[str, str], ...] = ()
