"""Transactions of SQLite files that are opened in autocommit mode."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def transaction(db: sqlite3.Connection, *, reading: bool = False) -> Iterator[None]:
    """All changes of the block, or none of them if it raises or the process dies.

    reading: the block changes nothing, so it need not wait for writers.
    """
    db.execute("BEGIN" if reading else "BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # On a full disk, SQLite may have rolled back by itself.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
