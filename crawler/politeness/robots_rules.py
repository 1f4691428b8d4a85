"""A cache of parsed robots.txt rules.

Parsed rules take up to a hundred times the memory of their text, and parsing is quick. So the texts
of all origins are kept, but only the latest parsed rules.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from protego import Protego

_MOST_BYTES: Final = 128_000_000
# The memory that Protego needs at most, as measured, in bytes: per line, per character (which it
# percent-encodes), per "*" (at which it splits the line) and per "$" (which makes a second rule).
_LINE: Final = 700
_CHARACTER: Final = 8
_WILDCARD: Final = 100
_END: Final = 1_000


class ReadRules:
    """Parsed rules of groups, shared by origins with the same text.

    most_bytes: the memory for all rules; the latest are kept even if they alone need more.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._read: OrderedDict[str, Protego] = OrderedDict()
        self.bytes = 0

    def of(self, group: str) -> Protego:
        """The rules of a group from ``robots_file.group_for``."""
        rules = self._read.pop(group, None)
        if rules is None:
            rules = Protego.parse(group)
            self.bytes += weight_of(group)
        self._read[group] = rules
        while self.bytes > self._most_bytes and len(self._read) > 1:
            self.bytes -= weight_of(self._read.popitem(last=False)[0])
        return rules


def weight_of(group: str) -> int:
    """An upper estimate of the memory of a group's rules, in bytes."""
    lines = group.count("\n") + 1
    signs = _WILDCARD * group.count("*") + _END * group.count("$")
    return _LINE * lines + _CHARACTER * len(group) + signs
