"""What the pages of a site share: the blocks of a sample of them.

    memory = SiteMemory()
    for html, url in pages:
        if marks := extract(html, url=url, site=memory).marks:
            memory.add(marks)
    extract(html, url=url, site=memory)

The memory is a bottom-k sketch: of all pages that were added, it keeps the ``capacity`` ones whose
keys are smallest. Keys are hashes, so these are a uniform sample, whatever the order in which pages
are added and memories merged. A share of the site's pages is thus estimated with a standard error
of at most ``0.5 / sqrt(capacity)``, .11 for 20 pages; within the sample, counts are exact, but for
texts whose 32-bit hashes collide.

Because the sample consists of pages, a page can be left out when its own blocks are looked up, and
so can copies of it: print versions, or one page under several addresses.
"""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final, Self

from extraction.page_marks import Blocks, Floats, PageMarks, SiteMemoryError
from extraction.site_index import Known, SiteIndex

# With 340 blocks a page, 20 pages take 62 kB.
CAPACITY: Final = 20
# Beyond this share of a page's likely content, another page with the same texts is a copy of it.
_COPIED: Final = 0.8
# With less than this share of its places, another page is of another template.
_RELATED: Final = 0.2

_MAGIC: Final = b"site3"


class SiteMemory:
    """A bounded summary of a site's pages. Threads may share it.

    pages: the first ones. capacity: how many it keeps.
    """

    def __init__(self, pages: Iterable[PageMarks] = (), capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._pages: dict[int, PageMarks] = {}
        self._lock = threading.Lock()
        for marks in pages:
            self.add(marks)

    def __reduce__(self) -> tuple[Any, ...]:
        # Without the lock, which cannot be pickled.
        return type(self), ([*self._pages.values()], self._capacity)

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def is_full(self) -> bool:
        return len(self) >= self._capacity

    def add(self, marks: PageMarks) -> None:
        """Add a page, or replace the one with the same key."""
        with self._lock:
            self._pages[marks.key] = marks
            if len(self) > self._capacity:
                del self._pages[max(self._pages)]
            self.__dict__.pop("_all", None)

    def merge(self, other: SiteMemory) -> None:
        """Add the pages of another memory."""
        for marks in [*other._pages.values()]:
            self.add(marks)

    def known(self, key: int, blocks: Blocks, probabilities: Floats) -> Known:
        """What is known of the blocks of a page from other pages that are no copies of it.

        key: the page's. probabilities: that its blocks are content, judged by the page alone.
        """
        with self._lock:
            every = self._all
        if not len(blocks.texts) or not every.pages:
            return SiteIndex(()).known(blocks)
        usable = every.shared(blocks, blocks.words * probabilities) <= _COPIED
        usable &= every.related(blocks) >= _RELATED
        usable &= [page.key != key for page in every.pages]
        if usable.all():
            return every.known(blocks)
        return SiteIndex(
            [page for page, is_usable in zip(every.pages, usable, strict=True) if is_usable]
        ).known(blocks)

    @cached_property
    def _all(self) -> SiteIndex:
        return SiteIndex([self._pages[key] for key in sorted(self._pages)])

    def to_bytes(self) -> bytes:
        with self._lock:
            pages = [self._pages[key].to_bytes() for key in sorted(self._pages)]
        lengths = struct.pack(f"<H{len(pages)}H", len(pages), *map(len, pages))
        return _MAGIC + lengths + b"".join(pages)

    @classmethod
    def from_bytes(cls, data: bytes, capacity: int = CAPACITY) -> Self:
        """The memory, of whose pages the first ``capacity`` are kept, however many were written.

        Raises SiteMemoryError for bytes that ``to_bytes`` did not write.
        """
        if not data.startswith(_MAGIC):
            raise SiteMemoryError("this is not a site memory, or one of another version")
        try:
            (n,) = struct.unpack_from("<H", data, len(_MAGIC))
            lengths = struct.unpack_from(f"<{n}H", data, len(_MAGIC) + 2)
        except struct.error as error:
            raise SiteMemoryError(f"the site memory is cut short: {error}") from error
        begin = len(_MAGIC) + 2 + 2 * n
        if len(data) != begin + sum(lengths):
            raise SiteMemoryError(f"a site memory of {len(data)} bytes should have another length")
        pages = []
        for length in lengths:
            pages.append(PageMarks.from_bytes(data[begin : begin + length]))
            begin += length
        return cls(pages, capacity)
