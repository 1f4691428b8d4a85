"""What a visit of a known page means for the corpus: a new version, nothing, or a tombstone."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Self

from crawler.items import Document, GonePage, document_id, timestamp
from crawler.lease import Lease
from crawler.outcomes import Rejection, Unchanged
from crawler.recrawl.history import MISSES, REFUSED, History
from crawler.recrawl.observation import Observation, Seen
from crawler.recrawl.revisits import history_of
from pipelines.versions.fingerprint import Difference, Fingerprint

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Step:
    """What a visit adds to the lineage of a page.

    document: with its place in the lineage. found: for the policy of revisits.
    unchanged: why nothing is written; None if the document is.
    outdated: the digest of the words that the document replaces; None if it is the first version.
    """

    document: Document
    found: Observation
    unchanged: Unchanged | None = None
    outdated: bytes | None = None


@dataclass(frozen=True, slots=True)
class Lineage:
    """The versions of a page, as remembered with its URL in the frontier.

    history: None at the first visit. text: of the last version; None if there is none.
    refused: the reasons for which texts after it were not kept, each of which has its line.
    """

    history: History | None = None
    text: Fingerprint | None = None
    refused: tuple[str, ...] = ()

    @classmethod
    def of(cls, lease: Lease) -> Self:
        return cls.read(lease.history)

    @classmethod
    def read(cls, remembered: str) -> Self:
        """Of what the frontier remembers."""
        history = history_of(remembered)
        if history is None:
            return cls()
        fingerprint, *refused = history.fingerprint.split(REFUSED)
        try:
            text = Fingerprint.read(fingerprint) if fingerprint else None
        except ValueError:  # written by another version
            text = None
        return cls(history, text, tuple(refused))

    def kept(self, document: Document) -> Step:
        """The step of a document that the filters keep.

        A text is compared with the last one that was written, not with the last that was seen: so
        small changes add up to one.
        """
        new = Fingerprint.of(document.text, document.title)
        difference = self._difference(new)
        if difference is not None and not difference.is_change:
            _log.debug("%s is %s", document.url, difference)
            found = self._observation("unchanged", self.refused)
            return Step(self._placed(document), found, Unchanged(difference.why))
        if difference is not None:
            _log.debug("%s has %s", document.url, difference)
        document = self._placed(document)
        return Step(
            document,
            Observation(seen="changed", fingerprint=new.text(), version=document.version),
            outdated=self.words,
        )

    def rejected(self, document: Document, rejection: Rejection) -> Step:
        """The step of a document that is rejected.

        It is written once for each version and reason, which together name its line.
        """
        reason = rejection.reason
        again = Unchanged(f"rejected again: {reason}") if reason in self.refused else None
        refused = self.refused if again else (*self.refused, reason)
        # The text that is kept has not changed.
        found = self._observation("changed" if self.history is None else "unchanged", refused)
        return Step(self._placed(document), found, again)

    def ended(self, gone: GonePage) -> Document | None:
        """The document of a tombstone; None if the page has none, or may come back yet."""
        history = self.history
        if history is None or not history.version or history.misses + 1 != MISSES:
            return None
        return Document(
            id=document_id(gone.lease.url),
            text="",
            url=gone.lease.url,
            requested_url=gone.lease.url,
            fetched_at=gone.at,
            depth=gone.lease.depth,
            page_type=history.page_type or None,
            version=history.version,
            first_seen=_moment(history.first_seen),
            previous=_moment(history.changed_at),
        )

    def has_lost(self, words: bytes) -> bool:
        """Whether the page is known to have another text than that with these words, or none."""
        if self.history is None:
            return False
        if self.history.is_buried or not self.history.version:
            return True
        # Those of a fingerprint that another version has written are not known.
        return self.words is not None and self.words != words

    @property
    def words(self) -> bytes | None:
        """The digest of the words of the last version; None if there is none."""
        return self.text.words if self.text else None

    @property
    def _version(self) -> int:
        """Of the last text that was kept; 0 if there is none."""
        return self.history.version if self.history else 0

    def _observation(self, seen: Seen, refused: Iterable[str]) -> Observation:
        """Of a visit after which the same text is the last one."""
        text = self.text.text() if self.text else ""
        return Observation(
            seen=seen, fingerprint=REFUSED.join((text, *refused)), version=self._version
        )

    def _difference(self, new: Fingerprint) -> Difference | None:
        """What is new in a text; None if it follows none, or a tombstone."""
        if self.history is None or self.text is None or not self._version:
            return None
        return None if self.history.is_buried else self.text.difference(new)

    def _placed(self, document: Document) -> Document:
        """The document as the next version."""
        if self.history is None:
            return document
        is_later = self._version > 0
        return replace(
            document,
            version=self._version + 1,
            first_seen=_moment(self.history.first_seen),
            changed_at=timestamp(document.fetched_at) if is_later else None,
            previous=_moment(self.history.changed_at) if is_later else None,
        )


def _moment(seconds: int) -> str:
    return timestamp(datetime.fromtimestamp(seconds, UTC))
