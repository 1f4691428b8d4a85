"""Counters by name, in the order in which users read them."""

from __future__ import annotations

from collections.abc import Mapping


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """Sorted by descending count, then by name.

    >>> by_count({"c": 1, "b": 1, "a": 2})
    {'a': 2, 'b': 1, 'c': 1}
    """
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
