"""Whether a compressed body has come whole: Scrapy takes what comes before a cut for all of it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Final

import brotli
from backports import zstd

# Window sizes of zlib.
_GZIP_OR_ZLIB: Final = 47
_RAW: Final = -15
# Either may end unfinished data by chance.
_FILLINGS: Final = (b"\0" * 8, b"\xff" * 8)


def has_end(body: bytes, coding: str, size: int) -> bool:
    """Whether the compressed stream goes on to its end. Call it for what decompresses.

    A damaged one counts as whole, as does one of an unknown coding, and one that lacks only the
    checksum behind its data, as some servers send it and browsers show it.

    size: of what it decompresses to. Most are in gzip and end with it (RFC 1952), so that they need
        not be decompressed once more.

    >>> import gzip
    >>> packed = gzip.compress(b"words")
    >>> has_end(packed, "gzip", 5), has_end(packed[:-9], "gzip", 3)
    (True, False)
    """
    if body.endswith((size % 2**32).to_bytes(4, "little")):
        return True
    ends = _ENDS.get(coding)
    return ends is None or ends(body)


def _deflate_ends(body: bytes) -> bool:
    # Some servers send deflate without the header of zlib.
    for window in (_GZIP_OR_ZLIB, _RAW):
        unpack = zlib.decompressobj(window)
        try:
            unpack.decompress(body)
        except zlib.error:
            continue
        return all(_ends_before(filling, unpack.copy()) for filling in _FILLINGS)
    return True


def _ends_before(filling: bytes, unpack: zlib._Decompress) -> bool:
    """Whether the data are whole, so that what follows them is taken for a checksum."""
    try:
        unpack.decompress(filling)
    except zlib.error as error:
        return "check" in str(error)
    return unpack.eof


def _brotli_ends(body: bytes) -> bool:
    unpack = brotli.Decompressor()
    unpack.process(body)
    return bool(unpack.is_finished())


def _zstd_ends(body: bytes) -> bool:
    unpack = zstd.ZstdDecompressor()
    unpack.decompress(body)
    return unpack.eof


_ENDS: Final[Mapping[str, Callable[[bytes], bool]]] = {
    **dict.fromkeys(("gzip", "x-gzip", "deflate"), _deflate_ends),
    "br": _brotli_ends,
    "zstd": _zstd_ends,
}
