"""How frontiers store times and places in queues, and split work into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar

from crawler.frontier.base import DEPTHS, Candidate

# Microseconds per second.
MICRO: Final = 1_000_000
T = TypeVar("T")
# A priority step outweighs any depth.
_PRIORITY_STEP = len(DEPTHS)


def micro(seconds: float) -> int:
    """The seconds in microseconds.

    >>> micro(1.5)
    1500000
    """
    return round(seconds * MICRO)


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most ``size`` items, in order, as ``itertools.batched`` of Python 3.12.

    >>> list(batched("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def rank_of(candidate: Candidate) -> int:
    """Priority and depth in one number, by which the queues of hosts are sorted, lowest first.

    >>> rank_of(Candidate("http://a.test/", depth=3)), rank_of(Candidate("", priority=1))
    (3, -65536)
    """
    return candidate.depth - candidate.priority * _PRIORITY_STEP


def depth_of(rank: int) -> int:
    """The depth in a rank.

    >>> depth_of(3 - 7 * 65536)
    3
    """
    return rank % _PRIORITY_STEP


def priority_of(rank: int) -> int:
    """The priority in a rank.

    >>> priority_of(3 - 7 * 65536)
    7
    """
    return (depth_of(rank) - rank) // _PRIORITY_STEP
