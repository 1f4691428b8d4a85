"""Counters by name, in the order in which users read them."""

from __future__ import annotations

from collections.abc import Mapping


def by_count(counts: Mapping[str, int]) -> dict[str, int]:
    """Sorted by descending count, then by name.

    >>> by_count({"c": 1, "b": 1, "a": 2})
    {'a': 2, 'b': 1, 'c': 1}
    """
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def changes(counts: Mapping[str, int], earlier: Mapping[str, int]) -> dict[str, int]:
    """By how much counters have changed since, of those that have; the most increased first.

    >>> changes({"a": 2, "b": 3, "c": 1}, {"b": 1, "c": 1, "d": 4})
    {'a': 2, 'b': 2, 'd': -4}
    """
    names = counts.keys() | earlier.keys()
    since = {name: counts.get(name, 0) - earlier.get(name, 0) for name in names}
    return by_count({name: change for name, change in since.items() if change})
