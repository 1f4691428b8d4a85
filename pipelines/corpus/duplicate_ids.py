"""Finds duplicate ids among any number of them: 24 bytes of disk and one bit of memory each."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

import numpy as np

_PARTS = 256
_BUFFERED_IDS = 500_000
_DTYPE = np.dtype([("high", "<u8"), ("low", "<u8"), ("number", "<u8")])


class IdLedger:
    """A list of ids, spread over files by their hash; a context manager.

    Ids are compared by 128-bit digests, so collisions are practically excluded.

    >>> with IdLedger() as ledger:
    ...     for name in ["a", "b", "a"]:
    ...         ledger.add(name)
    ...     [number in ledger.duplicates() for number in range(3)]
    [False, False, True]
    """

    def __init__(self, folder: Path | None = None) -> None:
        """folder: for temporary files, if they are needed; by default the system's."""
        self._folder = folder
        self._spilled: TemporaryDirectory[str] | None = None
        self._parts = [bytearray() for _ in range(_PARTS)]
        self._count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._spilled is not None:
            self._spilled.cleanup()

    def add(self, name: str) -> None:
        """Append an id; the first has the number 0."""
        digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._parts[digest[0]] += digest + self._count.to_bytes(8, "little")
        self._count += 1
        if self._count % _BUFFERED_IDS == 0:
            self._spill()

    def duplicates(self) -> NumberSet:
        """The numbers of all ids that had occurred before."""
        flags = np.zeros(self._count // 8 + 1, dtype=np.uint8)
        for number, part in enumerate(self._parts):
            records = np.frombuffer(part, dtype=_DTYPE)
            if self._spilled is not None and self._path(self._spilled, number).exists():
                earlier = np.fromfile(self._path(self._spilled, number), dtype=_DTYPE)
                records = np.concatenate([earlier, records])
            repeated = _repeated(records)
            np.bitwise_or.at(flags, repeated >> 3, (1 << (repeated & 7)).astype(np.uint8))
        return NumberSet(flags)

    def _spill(self) -> None:
        if self._spilled is None:
            self._spilled = TemporaryDirectory(prefix="ids-", dir=self._folder)
        for number, part in enumerate(self._parts):
            if part:
                with self._path(self._spilled, number).open("ab") as file:
                    file.write(part)
        self._parts = [bytearray() for _ in range(_PARTS)]

    @staticmethod
    def _path(spilled: TemporaryDirectory[str], number: int) -> Path:
        return Path(spilled.name, str(number))


class NumberSet:
    """A set of numbers, as a bitmap."""

    def __init__(self, flags: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> None:
        self._flags = flags

    def __contains__(self, number: int) -> bool:
        return bool(self._flags[number >> 3] >> (number & 7) & 1)

    def __len__(self) -> int:
        return int(np.bitwise_count(self._flags).sum())


def _repeated(
    records: np.ndarray[tuple[int], np.dtype[np.void]],
) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """The numbers of all but the first record of each id."""
    ordered = records[np.lexsort((records["number"], records["low"], records["high"]))]
    same = (ordered["high"][1:] == ordered["high"][:-1]) & (
        ordered["low"][1:] == ordered["low"][:-1]
    )
    numbers: np.ndarray[tuple[int], np.dtype[np.uint64]] = ordered["number"][1:][same]
    return numbers
