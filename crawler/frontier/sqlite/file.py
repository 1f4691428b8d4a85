"""The file of an embedded frontier: creating, opening and locking it; its clock."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from corpus_commons.file_lock import FileLock, LockedError
from corpus_commons.sqlite_uri import sqlite_uri
from corpus_commons.transactions import transaction
from crawler.frontier.errors import (
    FrontierError,
    FrontierFullError,
    FrontierLockedError,
    FrontierVersionError,
)
from crawler.frontier.folder_owner import check_owner
from crawler.frontier.sqlite import statements as sql

FILE_NAME = "frontier.sqlite"
LOCK_NAME = "frontier.lock"
# How long a crawl and a `genre-crawler frontier` command wait for each other's transactions.
_BUSY_SECONDS = 30
_CACHE_KIB = 64 * 1024
# In pages of 4 kB. More than SQLite's 1,000, so that pages that change often are copied less often.
_CHECKPOINT_PAGES = 8000
_WAL_BYTES = 64 * 2**20
# The first version with RETURNING.
_OLDEST_SQLITE = (3, 35, 0)


def steady_clock() -> Callable[[], float]:
    """A clock of seconds since 1970 that ignores later changes of the machine's clock.

    It stands still while the machine sleeps, which is right for a single worker that sleeps too.
    """
    begin = time.time() - time.monotonic()
    return lambda: begin + time.monotonic()


class FolderLock:
    """Held while a crawl works in a folder; the kernel releases it however the process ends.

    Raises FrontierLockedError if another crawl holds it.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK_NAME
        try:
            self._lock = FileLock(path)
        except LockedError as error:
            holder = path.read_bytes()[:20].decode("ascii", "replace").strip()
            raise FrontierLockedError(
                f"another crawl (process {holder or 'unknown'}) runs in {folder}; wait until it "
                "ends, or give this job another folder"
            ) from error
        # The process id is only for the message above: a full disk must not prevent a resume.
        with contextlib.suppress(OSError):
            path.write_text(f"{os.getpid()}\n")

    def release(self) -> None:
        self._lock.release()


def open_file(folder: Path, *, create: bool) -> sqlite3.Connection:
    """A connection to the frontier in ``folder``.

    create: make a new frontier if there is none.
    Raises FrontierError if there is none or the file is not a frontier, FrontierVersionError if
    another version wrote it, FrontierFullError if the disk is full.
    """
    path = folder / FILE_NAME
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise FrontierError(f"SQLite {sqlite3.sqlite_version} is too old; 3.35 or newer is needed")
    if not create and not path.is_file():
        around = folder.absolute().parent
        if (around / FILE_NAME).is_file():
            raise FrontierError(f"there is no frontier in {folder}; did you mean {around}?")
        raise FrontierError(
            f"there is no frontier in {folder}: no crawl has run there, or its frontier is in "
            "Redis; then give the job file, with frontier.url or --frontier"
        )
    with translated(path):
        db = sqlite3.connect(
            path if create else sqlite_uri(path, "rw"),
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=not create,
        )
    try:
        with translated(path):
            _check(db, path, create=create)
            # docs/explanation/frontier.md says what NORMAL guarantees.
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            db.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
            db.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")
    except BaseException:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, path: Path, *, create: bool) -> None:
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if create and application == version == tables == 0:
        db.execute("PRAGMA journal_mode = WAL")
        _make(db)
        return
    if application != sql.APPLICATION_ID:
        raise FrontierError(
            f"{path} is an SQLite file, but not a frontier; give the job another folder"
        )
    if version in sql.MISSING:
        _upgrade(db)
    elif version != sql.VERSION:
        raise FrontierVersionError(
            f"{path} has format version {version}, but this crawler needs {sql.VERSION}; continue "
            "with the crawler that wrote it, or start the job anew in another folder"
        )


def _make(db: sqlite3.Connection) -> None:
    with transaction(db):
        for statement in sql.SCHEMA:
            db.execute(statement)
        db.execute(sql.BEGIN_JOB, (secrets.token_bytes(16),))
        db.execute(f"PRAGMA application_id = {sql.APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {sql.VERSION}")


def _upgrade(db: sqlite3.Connection) -> None:
    with transaction(db):
        # Another process may have done it meanwhile.
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for statement in sql.MISSING.get(version, ()):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {sql.VERSION}")


def claim(db: sqlite3.Connection, folder: Path, job: str) -> None:
    """Record that the frontier in ``folder`` belongs to the job.

    Raises FrontierOwnerError if it belongs to another.
    """
    with translated(folder / FILE_NAME), transaction(db):
        db.execute(sql.OWNER_TABLE)
        (owner,) = db.execute(sql.OWNER).fetchone() or (None,)
        if owner is None:
            db.execute(sql.SET_OWNER, (job,))
        else:
            check_owner(folder, owner, job)


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into frontier errors that name the file and what helps."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL:
            raise FrontierFullError(
                f"cannot write {path}: the disk is full; free some space and start again, nothing "
                "is lost"
            ) from error
        if code == sqlite3.SQLITE_IOERR:
            raise FrontierError(
                f"cannot read or write {path} ({error}); check the disk, then start again"
            ) from error
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise FrontierLockedError(
                f"another program has locked {path} for more than {_BUSY_SECONDS} s; stop it, then "
                "start again"
            ) from error
        if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise FrontierError(
                f"cannot open or write {path} ({error}); look at its rights"
            ) from error
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise FrontierError(f"{path} is damaged or not a frontier ({error})") from error
        raise FrontierError(f"{path}: {error}") from error
