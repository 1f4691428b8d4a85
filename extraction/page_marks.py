"""What the memory of a site keeps of a page: hashes of its blocks, and their log odds."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Hashes = npt.NDArray[np.uint32]

MOST_BLOCKS: Final = 340

_HEADER: Final = struct.Struct("<QIH")
_BYTES_A_BLOCK: Final = 9
# Log odds are kept as whole multiples of a twentieth, which fit a byte up to 6.35.
_STEPS: Final = 20
_MOST_STEPS: Final = 127
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
    """What the memory keeps of a page, of at most MOST_BLOCKS of its blocks.

    key: identifies the page; adding it again replaces it.
    ceiling: the greatest text hash that was kept. Of a long page, the blocks with the smallest text
        hashes are kept, so that all pages keep the same texts.
    steps: the log odds that each is content, as ``odds`` has them.
    """

    key: int
    ceiling: int
    texts: Hashes
    places: Hashes
    steps: npt.NDArray[np.int8]

    @classmethod
    def of(cls, key: int, blocks: Blocks, odds: Floats) -> Self:
        """odds: for every block, the log odds that it is content, judged by the page alone."""
        pairs = _joined(blocks.texts, blocks.places)
        kept = np.unique(pairs, return_index=True)[1][:MOST_BLOCKS]
        ceiling = int(blocks.texts[kept[-1]]) if len(kept) == MOST_BLOCKS else _LAST_HASH
        steps = np.clip(np.round(odds[kept] * _STEPS), -_MOST_STEPS, _MOST_STEPS)
        return cls(key, ceiling, blocks.texts[kept], blocks.places[kept], steps.astype(np.int8))

    @property
    def odds(self) -> Floats:
        """The log odds, to a twentieth."""
        return self.steps / _STEPS

    def to_bytes(self) -> bytes:
        header = _HEADER.pack(self.key, self.ceiling, len(self.texts))
        hashes = np.concatenate([self.texts, self.places]).astype("<u4")
        return header + hashes.tobytes() + self.steps.tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Raises SiteMemoryError for bytes that ``to_bytes`` did not write."""
        if len(data) < _HEADER.size:
            raise SiteMemoryError(f"the marks of a page are cut short: {len(data)} bytes")
        key, ceiling, n = _HEADER.unpack_from(data)
        if n > MOST_BLOCKS or len(data) != _HEADER.size + n * _BYTES_A_BLOCK:
            raise SiteMemoryError(f"{len(data)} bytes cannot be the marks of {n} blocks")
        hashes = np.frombuffer(data, "<u4", 2 * n, _HEADER.size)
        steps = np.frombuffer(data, np.int8, n, _HEADER.size + hashes.nbytes)
        return cls(key, ceiling, hashes[:n], hashes[n:], steps)


def key_of(url: str | None, texts: Iterable[str]) -> int:
    """The key of the page with this URL; if that is unknown, of the page with these texts."""
    identity = url.partition("#")[0] if url else "\n".join(texts)
    digest = hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _joined(texts: Hashes, places: Hashes) -> npt.NDArray[np.uint64]:
    return (texts.astype(np.uint64) << np.uint64(32)) | places
