"""The record of what was removed, ``forgotten.jsonl``: digests and times, never a text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import orjson

from crawler.items import document_id, timestamp
from pipelines.corpus.layout import FORGOTTEN
from pipelines.versions.fingerprint import words_digest

_OPTIONS: Final = orjson.OPT_APPEND_NEWLINE


@dataclass(slots=True)
class Record:
    """What was removed from one folder.

    at: when; ISO 8601 in UTC. keep_urls: whether to write down URLs, and not only their digests.
    counts: of what was removed, by kind. notes: messages about what could not be looked at.
    """

    at: str
    keep_urls: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    _lines: list[bytes] = field(default_factory=list)

    def add_document(self, kind: str, document: dict[str, Any]) -> None:
        """Note a line of a shard, or of a data set."""
        metadata = document.get("metadata", document)
        fetched_at = metadata.get("fetched_at")
        if isinstance(fetched_at, datetime):
            fetched_at = timestamp(fetched_at)
        self._add(
            kind,
            document["id"],
            metadata.get("url"),
            version=metadata.get("version", 1),
            fetched_at=fetched_at,
            text=words_digest(document["text"]).hex(),
        )

    def add_url(self, kind: str, url: str) -> None:
        """Note something else that belongs to a URL."""
        self._add(kind, document_id(url), url)

    def add_file(self, kind: str, name: str) -> None:
        """Note a file of the document with this id."""
        self._add(kind, name, None)

    def _add(self, kind: str, name: str, url: object, **more: object) -> None:
        self.counts[kind] += 1
        shown = {"url": url} if self.keep_urls and url else {}
        line = {"at": self.at, "what": kind, "id": name, **more, **shown}
        self._lines.append(orjson.dumps(line, option=_OPTIONS))

    def write(self, folder: Path, target: Path) -> None:
        """Write the folder's record, with what was removed now, to ``target``. Raises OSError."""
        old = folder / FORGOTTEN
        before = old.read_bytes() if old.exists() else b""
        target.write_bytes(b"".join([before, *self._lines]))
