"""Groups of class names and ids with the same meaning.

Groups are matched against parts of names, so that both ``SiteNav`` and ``main-navigation`` indicate
navigation. They are features for classifiers, which learn how reliable each one is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

MAX_NAME_CHARACTERS = 300
# Parts of a name: runs of lower-case letters, perhaps after a capital; or the end of a line.
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\n")
# The size of a cache; pages of a site share most of their names.
_NAMES_KEPT = 65_536


def parts_of_name(name: str) -> tuple[str, ...]:
    """The words that a name consists of, in lower case.

    >>> parts_of_name("post-TopBar2")
    ('post', 'top', 'bar')
    """
    return tuple(map(str.lower, PART.findall(name)))


class NameGroups:
    """Groups of names.

    groups: for each, the substrings that indicate it, separated by spaces and with at least two
        characters; ``^`` matches the beginning of a part, ``$`` its end.
    """

    def __init__(self, groups: Mapping[str, str]) -> None:
        self.names = tuple(groups)
        self._by_start: dict[str, list[tuple[str, int]]] = {}
        for group, pieces in enumerate(groups.values()):
            for piece in pieces.split():
                self._by_start.setdefault(piece[:2], []).append((piece, 1 << group))
        self._bits_of_name = lru_cache(maxsize=_NAMES_KEPT)(self._read_name)
        # For every part, the groups that it matches.
        self.bits_of_part = lru_cache(maxsize=_NAMES_KEPT)(self._read_part)

    def bits_of(self, names: str) -> int:
        """The groups that any name in an attribute value matches: bit ``i`` for ``names[i]``.

        >>> groups = NameGroups({"navigation": "nav", "tag": "^tag$"})
        >>> groups.bits_of("SiteNav tags"), groups.bits_of("a-tag nav")
        (1, 3)
        """
        bits = 0
        for name in names[:MAX_NAME_CHARACTERS].split():
            bits |= self._bits_of_name(name)
        return bits

    def _read_name(self, name: str) -> int:
        bits = 0
        for part in parts_of_name(name):
            bits |= self.bits_of_part(part)
        return bits

    def _read_part(self, part: str) -> int:
        padded = f"^{part}$"
        bits = 0
        for start in range(len(padded) - 1):
            for piece, group in self._by_start.get(padded[start : start + 2], ()):
                if padded.startswith(piece, start):
                    bits |= group
        return bits
