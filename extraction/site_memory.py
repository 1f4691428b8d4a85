"""What the pages of a site share: the texts and the places of the blocks of a sample of them.

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

import hashlib
import struct
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint32]
Floats = npt.NDArray[np.float64]

# With 375 blocks a page, 20 pages take 60 kB.
CAPACITY: Final = 20
MOST_BLOCKS: Final = 375
# Beyond this share of a page's likely content, another page with the same texts is a copy of it.
_COPIED: Final = 0.8
# With less than this share of its places, another page is of another template.
_RELATED: Final = 0.2

# Against division by zero.
_SOME: Final = 1e-9
# A text on this many pages is repeated.
_SEVERAL: Final = 2

_MAGIC: Final = b"site2"
_HEADER: Final = struct.Struct("<QIH")
_BYTES_A_BLOCK: Final = 8
_LAST_HASH: Final = 2**32 - 1


class SiteMemoryError(ValueError):
    """The bytes are not those of a site memory or of the marks of a page."""


class Blocks(NamedTuple):
    """What the memory looks at: for every block of a page a hash of its text and of its place.

    places: of the elements around the block, with their names. words: how many.
    """

    texts: Hashes
    places: Hashes
    words: npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class PageMarks:
    """What the memory keeps of a page: for at most MOST_BLOCKS blocks their hashes.

    key: identifies the page; adding it again replaces it.
    ceiling: the greatest text hash that was kept. Of a long page, the blocks with the smallest text
        hashes are kept, so that all pages keep the same texts.
    """

    key: int
    ceiling: int
    texts: Hashes
    places: Hashes

    @classmethod
    def of(cls, key: int, blocks: Blocks) -> Self:
        pairs = _joined(blocks.texts, blocks.places)
        kept = np.unique(pairs, return_index=True)[1][:MOST_BLOCKS]
        ceiling = int(blocks.texts[kept[-1]]) if len(kept) == MOST_BLOCKS else _LAST_HASH
        return cls(key, ceiling, blocks.texts[kept], blocks.places[kept])

    def to_bytes(self) -> bytes:
        header = _HEADER.pack(self.key, self.ceiling, len(self.texts))
        return header + self.texts.astype("<u4").tobytes() + self.places.astype("<u4").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Raises SiteMemoryError for bytes that ``to_bytes`` did not write."""
        if len(data) < _HEADER.size:
            raise SiteMemoryError(f"the marks of a page are cut short: {len(data)} bytes")
        key, ceiling, n = _HEADER.unpack_from(data)
        if n > MOST_BLOCKS or len(data) != _HEADER.size + n * _BYTES_A_BLOCK:
            raise SiteMemoryError(f"{len(data)} bytes cannot be the marks of {n} blocks")
        hashes = np.frombuffer(data, "<u4", 2 * n, _HEADER.size)
        return cls(key, ceiling, hashes[:n], hashes[n:])


class Known(NamedTuple):
    """What a memory knows of the blocks of a page; all but ``pages`` have one entry per block.

    pages: how many other pages were looked at.
    text: the share of them that have this text.
    repeated: of all texts in this place, on this page and the others, the share that stands on more
        than one page.
    """

    pages: int
    text: Floats
    repeated: Floats


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
            return _Index(()).known(blocks)
        usable = every.shared(blocks, blocks.words * probabilities) <= _COPIED
        usable &= every.related(blocks) >= _RELATED
        usable &= [page.key != key for page in every.pages]
        if usable.all():
            return every.known(blocks)
        return _Index(
            [page for page, is_usable in zip(every.pages, usable, strict=True) if is_usable]
        ).known(blocks)

    @cached_property
    def _all(self) -> _Index:
        return _Index([self._pages[key] for key in sorted(self._pages)])

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


class _Index:
    """The marks of some pages, sorted for looking up many blocks at once."""

    def __init__(self, pages: Sequence[PageMarks]) -> None:
        self.pages = list(pages)
        counts = [len(page.texts) for page in self.pages]
        page_of = np.repeat(np.arange(len(self.pages)), counts)
        texts, places = (
            np.concatenate([np.empty(0, np.uint32), *(getattr(page, name) for page in self.pages)])
            for name in ("texts", "places")
        )
        self._ceilings = np.sort([page.ceiling for page in self.pages])
        self._texts, self._places = _Pages(texts, page_of), _Pages(places, page_of)
        self._all_texts, self._all_places = texts, places

    def shared(self, blocks: Blocks, weights: Floats) -> Floats:
        """For every page, the share by weight of the blocks whose texts it has."""
        # Of long pages only the texts up to the ceiling are known.
        found, pages = self._texts.pairs(blocks.texts)
        common = np.bincount(pages, weights[found], len(self.pages))
        order = np.argsort(blocks.texts)
        sums = np.concatenate([[0.0], np.cumsum(weights[order])])
        ceilings = np.array([page.ceiling for page in self.pages], dtype=np.uint32)
        whole = sums[np.searchsorted(blocks.texts[order], ceilings, side="right")]
        shares: Floats = common / np.maximum(whole, _SOME)
        return shares

    def related(self, blocks: Blocks) -> Floats:
        """For every page, the share of the blocks whose places it has."""
        pages = self._places.pairs(blocks.places)[1]
        counts = np.bincount(pages, minlength=len(self.pages)).astype(np.float64)
        return counts / len(blocks.places)

    def known(self, blocks: Blocks) -> Known:
        # The pages that would have kept the text if they have it.
        able = len(self.pages) - np.searchsorted(self._ceilings, blocks.texts)
        counts = self._texts.counts(blocks.texts)
        return Known(
            pages=len(self.pages),
            text=np.minimum(counts / np.maximum(able, 1), 1),
            repeated=self._repeated(blocks, counts > 0),
        )

    def _repeated(self, blocks: Blocks, is_known: npt.NDArray[np.bool_]) -> Floats:
        """See ``Known``. is_known: whether another page has the block's text."""
        on_pages = self._texts.counts(self._all_texts)
        is_repeated = on_pages + np.isin(self._all_texts, blocks.texts) >= _SEVERAL
        values, place_of = np.unique(
            np.concatenate([blocks.places, self._all_places]), return_inverse=True
        )
        repeated = np.bincount(place_of, np.concatenate([is_known, is_repeated]), len(values))
        share: Floats = (repeated / np.bincount(place_of))[place_of[: len(blocks.places)]]
        return share


class _Pages:
    """In which pages each of some hashes stands."""

    def __init__(self, hashes: Hashes, page_of: npt.NDArray[np.intp]) -> None:
        order = np.lexsort((page_of, hashes))
        hashes, page_of = hashes[order], page_of[order]
        is_first = np.ones(len(hashes), dtype=np.bool_)
        is_first[1:] = (hashes[1:] != hashes[:-1]) | (page_of[1:] != page_of[:-1])
        self._hashes, self._page_of = hashes[is_first], page_of[is_first]

    def counts(self, hashes: Hashes) -> npt.NDArray[np.intp]:
        """For every hash, the number of pages that have it."""
        begin, end = self._ranges(hashes)
        return end - begin

    def pairs(self, hashes: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """All pairs of a hash, by its index, and a page that has it."""
        begin, end = self._ranges(hashes)
        counts = end - begin
        skipped = begin - (np.cumsum(counts) - counts)
        found = np.repeat(np.arange(len(hashes)), counts)
        return found, self._page_of[np.repeat(skipped, counts) + np.arange(counts.sum())]

    def _ranges(self, hashes: Hashes) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        return (
            np.searchsorted(self._hashes, hashes),
            np.searchsorted(self._hashes, hashes, side="right"),
        )


def key_of(url: str | None, texts: Iterable[str]) -> int:
    """The key of the page with this URL; if that is unknown, of the page with these texts."""
    identity = url.partition("#")[0] if url else "\n".join(texts)
    digest = hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _joined(texts: Hashes, places: Hashes) -> npt.NDArray[np.uint64]:
    return (texts.astype(np.uint64) << np.uint64(32)) | places
