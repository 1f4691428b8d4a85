"""Rules of robots.txt as Protego reads them, of the groups that were asked for last.

Read rules take up to a hundred times the memory of their text, and reading is quick: so the text is
remembered, and read again where the rules were forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from protego import Protego

_MOST_BYTES: Final = 128_000_000
# Bytes that Protego takes at most, as measured: for a line, for each of its characters, which it
# writes in percent-encoding, for each "*", at which it cuts the line, and for "$", of which it
# makes a second rule.
_LINE: Final = 700
_CHARACTER: Final = 8
_WILDCARD: Final = 100
_END: Final = 1_000


class ReadRules:
    """The rules of groups; origins that have the same text share them.

    most_bytes: that all rules take, or those of the last group alone if they take more.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._read: OrderedDict[str, Protego] = OrderedDict()
        self.bytes = 0

    def of(self, group: str) -> Protego:
        """The rules of a group, as ``robots_file.group_for`` gives it."""
        rules = self._read.pop(group, None)
        if rules is None:
            rules = Protego.parse(group)
            self.bytes += weight_of(group)
        self._read[group] = rules
        while self.bytes > self._most_bytes and len(self._read) > 1:
            self.bytes -= weight_of(self._read.popitem(last=False)[0])
        return rules


def weight_of(group: str) -> int:
    """The bytes that its rules take, rather more than less."""
    lines = group.count("\n") + 1
    signs = _WILDCARD * group.count("*") + _END * group.count("$")
    return _LINE * lines + _CHARACTER * len(group) + signs
