"""What is remembered of a page between two visits, as a short text in the frontier."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields, replace
from typing import Final

import orjson
from pydantic import TypeAdapter

MISSES: Final = 2
"""A page is gone when so many visits in a row have not found it."""

# The frontier takes no longer ones.
LONGEST: Final = 1024

REFUSED: Final = "!"
"""Comes before each reason why a text that was seen after the last version was not kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What was seen of a page up to its last visit. Times are whole seconds since 1970.

    visited_at: the last visit that found the page.
    first_seen: the first visit.
    changed_at: the visit at which the present version was first seen.
    version: of the text, from 1; 0 if none was kept so far.
    fingerprint: of the text, empty if there is none; and what ``REFUSED`` says.
    page_type: as the document has it, or the kind of a list such as ``feed``; empty if unknown.
    etag: the validator to send, with its quotes; empty if there is none.
    last_modified: the other validator; 0 if there is none.
    interval: seconds from the last visit to the next, as planned.
    events, exposure: the gamma distribution of the page's change rate, as its shape and its inverse
        scale in seconds; see ``crawler.recrawl.change_rate``. Without events, nothing is known.
    misses: how many visits in a row found it gone (see ``Observation``); after a tombstone, no
        fewer until a text is kept again.
    unread: how many visits in a row were answered by 304, so that its body was not read.
    gain: what rendering brought when the page was last rendered to see that (see
        ``crawler.adaptive.gain``), less if that has failed since; None if it never was.
    scope: which scope its links were chosen by when it was read last; see ``Revisits``.
    """

    visited_at: int
    first_seen: int
    changed_at: int
    version: int = 0
    fingerprint: str = ""
    page_type: str = ""
    etag: str = ""
    last_modified: int = 0
    interval: int = 0
    events: float = 0.0
    exposure: float = 0.0
    misses: int = 0
    unread: int = 0
    gain: float | None = None
    scope: str = ""

    @property
    def is_refused(self) -> bool:
        """Whether the text that was seen last was not kept."""
        return REFUSED in self.fingerprint

    @property
    def is_buried(self) -> bool:
        """Whether the last version has a tombstone."""
        return self.version > 0 and self.misses >= MISSES

    @classmethod
    def read(cls, text: str) -> History:
        """The inverse of ``text``. Raises ValueError for what is none.

        What an earlier version has written lacks the last values.
        """
        row = orjson.loads(text)
        if not isinstance(row, list) or len(row) > len(_NAMES):
            raise ValueError(f"not a history: {text[:100]!r}")
        return _HISTORIES.validate_python(dict(zip(_NAMES, row, strict=False)))

    def text(self) -> str:
        """At most 1,024 characters, for which a long ETag is left out. Raises ValueError.

        >>> seen = History(visited_at=1764000000, first_seen=1764000000, changed_at=1764000000)
        >>> seen.text()
        '[1764000000,1764000000,1764000000,0,"","","",0,0,0.0,0.0,0,0,null,""]'
        """
        text = orjson.dumps(astuple(self)).decode()
        if len(text) <= LONGEST:
            return text
        if not self.etag:
            raise ValueError(f"the fingerprint {self.fingerprint[:40]!r}… is too long to be stored")
        return replace(self, etag="").text()


_NAMES: Final = tuple(field.name for field in fields(History))
_HISTORIES: Final = TypeAdapter(History)
