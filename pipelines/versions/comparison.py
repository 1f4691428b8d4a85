"""``corpus diff A B``: which pages are new, changed or gone between two corpora."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal, NamedTuple

from corpus_commons.markup.controls import without_controls
from pipelines.corpus.folder import moment_of, orphans, shards, version_of
from pipelines.versions.fingerprint import Fingerprint

Kind = Literal["added", "changed", "gone"]

# A page of each corpus: its latest line, if that is a document; a tombstone has no fingerprint.
_TABLES: Final = """
CREATE TABLE pages (
    corpus INTEGER, id TEXT, moment INTEGER, rank INTEGER, version INTEGER, url TEXT,
    fingerprint TEXT,
    PRIMARY KEY (corpus, id)) WITHOUT ROWID;
"""
_PUT: Final = """
INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    moment = excluded.moment, rank = excluded.rank, version = excluded.version,
    url = excluded.url, fingerprint = excluded.fingerprint
WHERE (excluded.moment, excluded.rank) > (moment, rank)
"""
_PAIRS: Final = """
SELECT id, coalesce(b.url, a.url), a.version, b.version, a.fingerprint, b.fingerprint
FROM (SELECT * FROM pages WHERE corpus = 0 AND fingerprint IS NOT NULL) a
FULL JOIN (SELECT * FROM pages WHERE corpus = 1 AND fingerprint IS NOT NULL) b USING (id)
ORDER BY id
"""


class Change(NamedTuple):
    """What has become of a page.

    old, new: its versions; None where it is not. Each crawl counts its own, so they may be the
    same, which is then not told. why: of a change; otherwise empty.
    """

    kind: Kind
    id: str
    url: str
    old: int | None
    new: int | None
    why: str

    def __str__(self) -> str:
        """A line for a terminal; a corpus of any origin may have others in its URLs.

        >>> str(Change("changed", "0a", "https://example.com/", 1, 2, "its title or sentences"))
        '~ https://example.com/  version 1 -> 2: its title or sentences'
        >>> str(Change("changed", "0a", "https://example.com/", 1, 1, "its title or sentences"))
        '~ https://example.com/  its title or sentences'
        """
        [url] = without_controls([" ".join(self.url.split())])
        if self.kind == "changed":
            versions = f"version {self.old} -> {self.new}: " if self.old != self.new else ""
            return f"~ {url}  {versions}{self.why}"
        return f"{'+' if self.kind == 'added' else '-'} {url}"


def changes(old: Path, new: Path) -> Iterator[Change]:
    """The pages whose latest states in two corpora differ, by id.

    A text has changed if a crawl would have said so. Pages are kept in a temporary file, not in
    memory. Raises CorpusError if a folder is not a corpus, DamagedError if it is damaged.
    """
    with TemporaryDirectory(prefix="diff-") as folder, closing(_opened(Path(folder))) as db:
        for number, corpus in enumerate((old, new)):
            db.executemany(_PUT, _pages(number, corpus))
        for name, url, old_version, new_version, *prints in db.execute(_PAIRS):
            found = _difference(*prints)
            if found is not None:
                kind, why = found
                yield Change(kind, name, url, old_version, new_version, why)


def _opened(folder: Path) -> sqlite3.Connection:
    db = sqlite3.connect(folder / "pages.sqlite")
    # It is removed in any case.
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    db.executescript(_TABLES)
    return db


def _pages(number: int, corpus: Path) -> Iterator[tuple[Any, ...]]:
    listed = shards(corpus)
    unlisted = orphans(corpus, {shard.path for shard in listed}).shards
    for shard in (*listed, *unlisted):
        if shard.kind == "rejects":
            continue
        for line in shard.documents():
            metadata = line["metadata"]
            fingerprint = None
            if shard.kind == "documents":
                title = metadata.get("title")
                known = title if isinstance(title, str) else None
                fingerprint = Fingerprint.of(line["text"], known).text()
            url = str(metadata.get("url") or "")
            when = (moment_of(line), shard.rank(line))
            yield number, line["id"], *when, version_of(line), url, fingerprint


def _difference(old: str | None, new: str | None) -> tuple[Kind, str] | None:
    """What has become of a fingerprint, and why; None if nothing has."""
    if old is None:
        return "added", ""
    if new is None:
        return "gone", ""
    difference = Fingerprint.read(old).difference(Fingerprint.read(new))
    return ("changed", difference.why) if difference.is_change else None
