"""Finds lines with the same id among any number of them: 32 bytes of disk, few bits of memory each.

A line also has a rank and a time: two lines are repeats if id and rank are the same, and of all
lines with one id, the latest is that of the last time and, at one time, of the highest rank.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

import numpy as np

HIGHEST_RANK: Final = 2**24 - 1
_PARTS = 256
_BUFFERED_IDS = 500_000
# A record's order is its rank, and below that its number.
_NUMBER_BITS = np.uint64(40)
_NUMBER = np.uint64(2**40 - 1)
_DTYPE = np.dtype([("high", "<u8"), ("low", "<u8"), ("time", "<u8"), ("order", "<u8")])

Records = np.ndarray[tuple[int], np.dtype[np.void]]
Flags = np.ndarray[tuple[int], np.dtype[np.uint8]]
Numbers = np.ndarray[tuple[int], np.dtype[np.uint64]]
Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]


class IdLedger:
    """A list of ids, spread over files by their hash; a context manager.

    Ids are compared by 128-bit digests, so collisions are practically excluded.

    >>> with IdLedger() as ledger:
    ...     for name, rank, time in [("a", 2, 5), ("b", 1, 5), ("a", 1, 6), ("a", 1, 7)]:
    ...         ledger.add(name, rank, time)
    ...     [number in ledger.duplicates() for number in range(4)]
    ...     [number in ledger.latest() for number in range(4)]
    ...     [number in ledger.all_latest() for number in range(4)]
    [False, False, False, True]
    [False, True, False, True]
    [False, True, True, True]
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

    def add(self, name: str, rank: int = 0, time: int = 0) -> None:
        """Append an id; the first has the number 0.

        rank: from 0 to HIGHEST_RANK. time: in milliseconds since 1970.
        """
        digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        order = rank << int(_NUMBER_BITS) | self._count
        self._parts[digest[0]] += digest + time.to_bytes(8, "little") + order.to_bytes(8, "little")
        self._count += 1
        if self._count % _BUFFERED_IDS == 0:
            self._spill()

    def duplicates(self) -> NumberSet:
        """The numbers of all ids that had occurred before with the same rank."""
        flags = self._flags()
        for records in self._ordered():
            _mark(flags, records[1:][_is_repeat(records)])
        return NumberSet(flags)

    def distinct(self) -> NumberSet:
        """The numbers of all others."""
        flags = self._flags()
        for records in self._ordered():
            _mark(flags, _without_repeats(records))
        return NumberSet(flags)

    def latest(self) -> NumberSet:
        """For each id, the number of its latest line; of those at one time, the first."""
        flags = self._flags()
        for records in self._in_time():
            first = records[np.concatenate([[True], ~(_is_repeat(records) & _same_time(records))])]
            _mark(flags, first[np.append(~_same_id(first), True)])
        return NumberSet(flags)

    def all_latest(self) -> NumberSet:
        """For each id, the numbers of its latest line and its repeats since another rank."""
        flags = self._flags()
        for records in self._in_time():
            ends = np.flatnonzero(np.append(~_is_repeat(records), True))
            is_last = np.append(~_same_id(records), True)[ends]
            _mark(flags, records[np.repeat(is_last, np.diff(ends, prepend=-1))])
        return NumberSet(flags)

    def _flags(self) -> Flags:
        return np.zeros(self._count // 8 + 1, dtype=np.uint8)

    def _ordered(self) -> Iterator[Records]:
        """The records by id, rank and number, in parts that share no id; none is empty."""
        for records in self._records():
            yield records[np.lexsort((records["order"], records["low"], records["high"]))]

    def _in_time(self) -> Iterator[Records]:
        """The records by id, time, rank and number, likewise."""
        for records in self._records():
            by = (records["order"], records["time"], records["low"], records["high"])
            yield records[np.lexsort(by)]

    def _records(self) -> Iterator[Records]:
        for number, part in enumerate(self._parts):
            records = np.frombuffer(part, dtype=_DTYPE)
            if self._spilled is not None and self._path(self._spilled, number).exists():
                earlier = np.fromfile(self._path(self._spilled, number), dtype=_DTYPE)
                records = np.concatenate([earlier, records])
            if len(records):
                yield records

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

    def __init__(self, flags: Flags) -> None:
        self._flags = flags

    def __contains__(self, number: int) -> bool:
        return bool(self._flags[number >> 3] >> (number & 7) & 1)

    def __len__(self) -> int:
        return int(np.bitwise_count(self._flags).sum())


def _same_id(records: Records) -> Bools:
    """Whether each record but the first has the id of the one before it."""
    high, low = records["high"], records["low"]
    found: Bools = (high[1:] == high[:-1]) & (low[1:] == low[:-1])
    return found


def _same_time(records: Records) -> Bools:
    """Whether each record but the first has the time of the one before it."""
    found: Bools = records["time"][1:] == records["time"][:-1]
    return found


def _ranks(records: Records) -> Numbers:
    found: Numbers = records["order"] >> _NUMBER_BITS
    return found


def _is_repeat(records: Records) -> Bools:
    """Whether each record but the first has the id and the rank of the one before it."""
    ranks = _ranks(records)
    found: Bools = _same_id(records) & (ranks[1:] == ranks[:-1])
    return found


def _without_repeats(records: Records) -> Records:
    found: Records = records[np.concatenate([[True], ~_is_repeat(records)])]
    return found


def _mark(flags: Flags, records: Records) -> None:
    numbers = records["order"] & _NUMBER
    bits = (1 << (numbers & np.uint64(7))).astype(np.uint8)
    np.bitwise_or.at(flags, (numbers >> np.uint64(3)).astype(np.int64), bits)
