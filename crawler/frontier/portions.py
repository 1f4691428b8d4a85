"""Many things a few at a time, so that others may be served in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def portions(things: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most so many, in the order of the things.

    >>> list(portions("abcde", 2))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    rest = iter(things)
    while portion := list(islice(rest, size)):
        yield portion
