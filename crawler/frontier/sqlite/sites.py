"""What an embedded job remembers of its sites' pages: a table of its frontier's file."""

from __future__ import annotations

from collections.abc import Mapping

from crawler.frontier.sites import SiteStore
from crawler.frontier.sqlite import statements as sql
from crawler.frontier.sqlite.store import SqliteStore, in_thread_of


class SqliteSites(SiteStore):
    """Marks are written in order with acknowledgements, so a power failure undoes both."""

    def __init__(self, store: SqliteStore, capacity: int) -> None:
        self._store = store
        self._capacity = capacity

    async def add(self, host: str, marks: Mapping[bytes, bytes]) -> list[bytes]:
        return await in_thread_of(self._store, self._add, host, marks)

    async def all(self, host: str) -> list[bytes]:
        return await in_thread_of(self._store, self._all, host)

    def _add(self, host: str, marks: Mapping[bytes, bytes]) -> list[bytes]:
        found = self._all(host)
        if not marks or len(found) >= self._capacity:
            return found if len(found) >= self._capacity else []
        with self._store.transaction():
            for key, mark in marks.items():
                new = {"host": host, "key": key, "marks": mark, "capacity": self._capacity}
                self._store.db.execute(sql.ADD_MARKS, new)
        found = self._all(host)
        return found if len(found) >= self._capacity else []

    def _all(self, host: str) -> list[bytes]:
        (rows,) = self._store.rows((sql.MARKS, (host,)))
        return [mark for (mark,) in rows]
