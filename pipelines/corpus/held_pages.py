"""The held pages of one worker: a file in its state folder.

A page is durable here before its URL is acknowledged, and leaves once its final line is durable.
What that changes in the frontier is noted in the same transaction, so that they are right
even if a crash comes before the frontier is told.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from enum import IntEnum
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from corpus_commons.durable_files import make_folder
from corpus_commons.transactions import transaction
from crawler.frontier.visits import NOTHING, Visit
from crawler.outcomes import HELD
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.held_page import HeldRow

_MICRO: Final = 1_000_000
_VERSION: Final = 4

_MODES: Final = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
# told: what the frontier knows of the page; see ``_Told``. recount: the last change of its counts.
# teller: of this file alone, since workers in other folders may have the same name.
_TABLES: Final = """
BEGIN;
CREATE TABLE pages (
    id TEXT PRIMARY KEY, host TEXT NOT NULL, place TEXT NOT NULL, document BLOB NOT NULL,
    html BLOB NOT NULL, task BLOB NOT NULL, key BLOB NOT NULL, marks BLOB NOT NULL,
    told INTEGER NOT NULL DEFAULT 0);
CREATE INDEX pages_of_hosts ON pages (host, place, id);
CREATE TABLE recount (
    number INTEGER NOT NULL, changes BLOB NOT NULL, visits BLOB NOT NULL DEFAULT '{}',
    teller TEXT NOT NULL DEFAULT '');
INSERT INTO recount VALUES (0, '{}', '{}', lower(hex(randomblob(8))));
PRAGMA user_version = 4;
COMMIT;
"""
# What leads from each version to the next: the first knew of no further visits, the second sorted
# pages by their ids, which come before all others, and the third told by the worker's name alone,
# as it does once more of a change that the frontier may know by it.
_MIGRATIONS: Final = {
    1: """
BEGIN;
ALTER TABLE recount ADD COLUMN visits BLOB NOT NULL DEFAULT '{}';
PRAGMA user_version = 2;
COMMIT;
""",
    2: """
BEGIN;
ALTER TABLE pages ADD COLUMN place TEXT NOT NULL DEFAULT '';
DROP INDEX pages_of_hosts;
CREATE INDEX pages_of_hosts ON pages (host, place, id);
PRAGMA user_version = 3;
COMMIT;
""",
    3: """
BEGIN;
ALTER TABLE recount ADD COLUMN teller TEXT NOT NULL DEFAULT '';
UPDATE recount SET teller = lower(hex(randomblob(8))) WHERE CAST(changes AS TEXT) = '{}';
PRAGMA user_version = 4;
COMMIT;
""",
}
_NOTED: Final = "SELECT number, changes, visits, teller FROM recount"
_NOTE: Final = "UPDATE recount SET number = ?, changes = ?, visits = ?"
_INSERT: Final = """INSERT OR REPLACE INTO pages
    (id, host, place, document, html, task, key, marks) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_ROWS: Final = "SELECT id, host, place, document, html, task, key, marks FROM pages"
_OF_HOST: Final = f"""{_ROWS}
    WHERE host = ? AND (place, id) > (?, ?) AND told >= ? ORDER BY place, id LIMIT ?"""
_OF_ID: Final = f"{_ROWS} WHERE id = ?"
_HOSTS: Final = "SELECT DISTINCT host FROM pages WHERE host > ? ORDER BY host LIMIT ?"


class _Told(IntEnum):
    """What the frontier knows of a page: it may not know that the page is held, it counts it as
    held, or it gave the page to another worker meanwhile and never will.
    """

    UNKNOWN = 0
    COUNTED = 1
    LOST = 2


class Settled(NamedTuple):
    """What became of a held page: its final outcome, its leased URL, and its next visit."""

    outcome: str
    url: str
    visit: Visit | None = None


class Recount(NamedTuple):
    """A change of what the frontier was told; see ``Frontier.recount``."""

    number: int
    changes: Mapping[str, int]
    visits: Mapping[str, Visit] = NOTHING


class HeldPages:
    """Used by one thread at a time, while the writer's lock is held.

    path: of the file, which is made for the first page. count: of the pages in it.
    unknown: ids of those of which a crash has made unknown whether they were acknowledged.
    teller: by which the frontier tells changes of this file from those of others.
    All methods raise CorpusError if the file cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None
        # Pages that are being read again; they stay until their lines are safe.
        self._leaving: set[str] = set()
        self._recount = Recount(0, {})
        self.count = 0
        self.teller = ""
        self.unknown: set[str] = set()
        if path.exists():
            with self._used():
                pass

    @property
    def untold(self) -> Recount | None:
        """The last change of counts, if the frontier may not know of it."""
        return self._recount if self._recount.changes else None

    def told(self) -> None:
        """The frontier knows of the last change of counts.

        Not synced: after a power failure it is as if the crash had come before this call.
        """
        self._recount = Recount(self._recount.number, {})
        # Another frontier, which a job may be given, must not be told of it.
        with self._unsynced() as db:
            db.execute(_NOTE, (self._recount.number, b"{}", b"{}"))

    def settle(self, rows: Sequence[HeldRow], done: Mapping[str, Settled | None]) -> None:
        """Insert pages, and remove those whose lines are safe; durable when this returns.

        done: by id, what replaces ``held``; None for a page that came anew meanwhile, and has an
            outcome of its own. Call it only when nothing is untold.
        """
        if not rows and not self.count:
            return
        with self._transaction() as db:
            db.executemany(_INSERT, rows)
            changes, visits = _removed(db, done)
            if changes:
                number = max(self._recount.number + 1, int(time.time() * _MICRO))
                self._recount = Recount(number, changes, visits)
                db.execute(_NOTE, (number, orjson.dumps(changes), orjson.dumps(visits)))
            (count,) = db.execute("SELECT count(*) FROM pages").fetchone()
        self._leaving.difference_update(done)
        self.count = count

    def acknowledged(self, ids: Iterable[str], lost: Collection[str]) -> None:
        """The frontier counts these pages as held, but those whose leases were lost.

        Not synced: after a power failure it is as if the crash had come before this call.
        """
        told = [(_Told.LOST if name in lost else _Told.COUNTED, name) for name in ids]
        with self._unsynced() as db:
            db.executemany("UPDATE pages SET told = ? WHERE id = ?", told)

    def void(self, histories: Mapping[str, str]) -> None:
        """Remove the unknown pages that are visited anew: they were never acknowledged.

        This visit says what becomes of them, also if it reads no page.
        histories: of all pages that are visited now, by their ids.
        """
        names = self.unknown & histories.keys()
        if not names:
            return
        with self._transaction() as db:
            for name in names:
                found = db.execute(_OF_ID, (name,)).fetchone()
                if found and HeldRow(*found).page().lease.history == histories[name]:
                    db.execute("DELETE FROM pages WHERE id = ?", (name,))
            (count,) = db.execute("SELECT count(*) FROM pages").fetchone()
        self.count = count
        self.unknown -= names

    def take(self, host: str, most: int, *, is_last: bool = False) -> list[HeldRow]:
        """At most so many pages of a host, in the order of their places; none is taken twice.

        is_last: no page comes any more. Until then, pages are left out of which a crash has made
            unknown whether their URLs were acknowledged: otherwise these come anew (``void``).
        """
        least = _Told.UNKNOWN if is_last else _Told.COUNTED
        taken: list[HeldRow] = []
        last = ("", "")
        while self.count and len(taken) < most:
            with self._used() as db:
                found = [HeldRow(*row) for row in db.execute(_OF_HOST, (host, *last, least, most))]
            if not found:
                break
            last = (found[-1].place, found[-1].id)
            taken += [row for row in found if row.id not in self._leaving][: most - len(taken)]
        self._leaving.update(row.id for row in taken)
        return taken

    def take_earlier(self, name: str, history: str) -> HeldRow | None:
        """The page with this id, if it came by an earlier visit than that of this history.

        What came by the same visit was never acknowledged, so it comes anew.
        """
        if not self.count or name in self._leaving:
            return None
        with self._used() as db:
            found = db.execute(_OF_ID, (name,)).fetchone()
        if found is None or (row := HeldRow(*found)).page().lease.history == history:
            return None
        self._leaving.add(name)
        return row

    def marks(self, host: str, most: int) -> dict[bytes, bytes]:
        """The marks of at most so many pages of a host, by key."""
        with self._used() as db:
            rows = db.execute("SELECT key, marks FROM pages WHERE host = ? LIMIT ?", (host, most))
            return dict(rows.fetchall())

    def hosts_after(self, host: str, most: int) -> list[str]:
        """At most so many hosts with pages, in alphabetical order."""
        if not self.count:
            return []
        with self._used() as db:
            return [name for (name,) in db.execute(_HOSTS, (host, most))]

    def close(self) -> None:
        """Close the file; if no page is held, it gives its space back."""
        if self._db is None:
            return
        with closing(self._db) as db, suppress(sqlite3.Error):
            if not self.count:
                db.execute("VACUUM")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._used() as db, transaction(db):
            yield db

    @contextmanager
    def _unsynced(self) -> Iterator[sqlite3.Connection]:
        with self._used() as db:
            db.execute("PRAGMA synchronous = NORMAL")
        with self._transaction() as db:
            yield db
        with self._used() as db:
            db.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def _used(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._db or self._open()
        except (OSError, sqlite3.Error) as error:
            raise CorpusError(
                f"cannot use {self._path}, where pages wait for their site: {error}; if the disk "
                "is full, free some space and start again: acknowledged pages are safe"
            ) from error

    def _open(self) -> sqlite3.Connection:
        make_folder(self._path.parent)
        db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            db.executescript(_MODES)
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if not version:
                db.executescript(_TABLES)
                version = _VERSION
            while migration := _MIGRATIONS.get(version):
                db.executescript(migration)
                version += 1
            if version != _VERSION:
                raise CorpusError(
                    f"{self._path} has format version {version}, but this crawler needs "
                    f"{_VERSION}; continue with the crawler that wrote it"
                )
            (self.count,) = db.execute("SELECT count(*) FROM pages").fetchone()
            unknown = db.execute("SELECT id FROM pages WHERE told = ?", (_Told.UNKNOWN,))
            self.unknown = {name for (name,) in unknown}
            number, *noted, self.teller = db.execute(_NOTED).fetchone()
        except BaseException:
            db.close()
            raise
        changes, visits = map(orjson.loads, noted)
        self._recount = Recount(number, changes, {url: Visit(**visits[url]) for url in visits})
        self._db = db
        return db


def _removed(
    db: sqlite3.Connection, done: Mapping[str, Settled | None]
) -> tuple[Counter[str], dict[str, Visit]]:
    """Remove pages; returns the changes of the frontier's counts, and of visits by URL.

    Pages of which the frontier may not know are removed when none comes any more: it knows of them.
    """
    changes: Counter[str] = Counter()
    visits: dict[str, Visit] = {}
    for name, settled in done.items():
        found = db.execute("DELETE FROM pages WHERE id = ? RETURNING told", (name,)).fetchall()
        if settled is not None and found and found != [(_Told.LOST,)]:
            changes[settled.outcome] += 1
            changes[HELD] -= 1
            if settled.visit is not None:
                visits[settled.url] = settled.visit
    return changes, visits
