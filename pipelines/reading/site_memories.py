"""The memories of a crawl's sites, as page workers take them: bytes, built from what is shared."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Final

from crawler.exit_codes import StorageError
from crawler.frontier.sites import SiteStore
from extraction.page_marks import PageMarks, SiteMemoryError
from extraction.site_memory import SiteMemory

# Full memories, of at most 62 kB each.
_KEPT: Final = 500
_BYTES_OF_KEY: Final = 8

Marks = Mapping[bytes, bytes]


def marks_of(page: PageMarks) -> Marks:
    """The marks of a page by their digest: exact copies of a page take one place."""
    marks = page.to_bytes()
    copies = replace(page, key=0).to_bytes()
    return {blake2b(copies, digest_size=_BYTES_OF_KEY).digest(): marks}


class SiteMemories:
    """What a crawl knows of its sites. All methods raise FrontierError, and StorageError for marks
    that another version has written.
    """

    def __init__(self, store: SiteStore) -> None:
        self._store = store
        self._full: OrderedDict[str, bytes] = OrderedDict()

    async def full(self, host: str) -> bytes | None:
        """The memory of a host that has enough pages, which is final."""
        return await self.add(host, {})

    async def add(self, host: str, marks: Marks) -> bytes | None:
        """Add the marks of some pages, if there is room; as ``full`` then."""
        if host in self._full:
            self._full.move_to_end(host)
            return self._full[host]
        found = await self._store.add(host, marks)
        if not found:
            return None
        self._full[host] = memory = memory_of(host, found)
        if len(self._full) > _KEPT:
            self._full.popitem(last=False)
        return memory

    async def so_far(self, host: str, marks: Marks) -> bytes | None:
        """The memory of a host with some more pages, if there is room, however many it has then.

        None if it has a single one, which says nothing about itself.
        """
        found = await self._store.all(host)
        new = {key: one for key, one in marks.items() if one not in found}
        if new:
            await self._store.add(host, new)
            found = await self._store.all(host)
        return memory_of(host, found) if len(found) > 1 else None


def memory_of(host: str, marks: Iterable[bytes]) -> bytes:
    """The memory of a host with these marks. Raises StorageError for those of another version."""
    try:
        return SiteMemory(map(PageMarks.from_bytes, marks)).to_bytes()
    except SiteMemoryError as error:
        raise StorageError(
            f"what the job remembers of {host} was written by another version ({error}); continue "
            "with that, or start the job anew"
        ) from error
