"""Finds the line of each key and array element in a TOML file, which ``tomllib`` does not tell.

The text must be valid TOML, which ``tomllib`` has checked before.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

Path = tuple[str | int, ...]

_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*+")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_DOT: Final = re.compile(r"[ \t]*\.[ \t]*")
_EQUALS: Final = re.compile(r"[ \t]*=[ \t]*")
_BARE_VALUE: Final = re.compile(r"[^,\]}#\n]*")
# One or two quotes that belong to a multi-line string may precede the quotes that end it. Atomic
# groups, not *+, which Python 3.11.4 and older get wrong if what is repeated backtracks.
_STRING: Final = re.compile(
    r'"""(?>(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*)"{3,5}'
    r"|'''(?>(?:[^']|'{1,2}(?!'))*)'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*'"
)


def key_lines(text: str) -> dict[Path, int]:
    """The line, counted from 1, of every key, table and array element of a valid TOML text.

    >>> key_lines('''name = "x"
    ... [seeds]
    ... urls = ["https://a.example/",
    ...         "https://b.example/"]''')[("seeds", "urls", 1)]
    4
    """
    return _Walk(text).lines


def line_of(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of a path; if it is not in the file, of the innermost table above it that is."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


@dataclass
class _Open:
    """An array or inline table that is being read. index: of the next element."""

    path: Path
    closes_with: str
    index: int = 0


class _Walk:
    """One pass over the text, which fills ``lines``."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._elements: defaultdict[Path, int] = defaultdict(int)  # of arrays of tables
        self.lines: dict[Path, int] = {}
        table: Path = ()
        self._skip(_BLANK)
        while self._at < len(text):
            if text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)

    def _skip(self, what: re.Pattern[str]) -> str:
        match = what.match(self._text, self._at)
        if match is None:
            raise ValueError(f"not valid TOML at character {self._at}")
        self._at = match.end()
        return match[0]

    def _line(self) -> int:
        return bisect_right(self._ends, self._at - 1) + 1

    def _found(self, path: Path, line: int, *, implied: bool = False) -> None:
        """Record a line. implied: by a longer key, so an explicit header takes precedence."""
        if not implied or path not in self.lines:
            self.lines[path] = line

    def _header(self) -> Path:
        line, is_array = self._line(), self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        self._skip(_BLANK)
        *outer, last = self._key()
        self._skip(_BLANK)
        self._at += 2 if is_array else 1
        path: Path = ()
        for name in outer:
            path = self._newest((*path, name))
            self._found(path, line, implied=True)
        path = (*path, last)
        if is_array:
            self._found(path, line, implied=True)
            self._elements[path] += 1
        path = self._newest(path)
        self._found(path, line)
        return path

    def _newest(self, path: Path) -> Path:
        """The path of the last element, if the path is an array of tables."""
        count = self._elements.get(path)
        return (*path, count - 1) if count else path

    def _key(self) -> list[str]:
        parts = [self._key_part()]
        while _DOT.match(self._text, self._at):
            self._skip(_DOT)
            parts.append(self._key_part())
        return parts

    def _key_part(self) -> str:
        if self._text[self._at] not in "\"'":
            return self._skip(_BARE_KEY)
        name: str = tomllib.loads("key = " + self._skip(_STRING))["key"]
        return name

    def _pair(self, table: Path) -> None:
        """Read a key and its value, including nested ones."""
        opened: list[_Open] = []
        self._value(self._named(table), opened)
        while opened:
            self._skip(_BLANK)
            inner, here = opened[-1], self._text[self._at]
            if here == inner.closes_with:
                opened.pop()
                self._at += 1
            elif here == ",":
                self._at += 1
            elif inner.closes_with == "]":
                path = (*inner.path, inner.index)
                inner.index += 1
                self._found(path, self._line())
                self._value(path, opened)
            else:
                self._value(self._named(inner.path), opened)

    def _named(self, table: Path) -> Path:
        """Read a key up to its value; returns its path."""
        line, path = self._line(), table
        *outer, last = self._key()
        for name in outer:
            path = (*path, name)
            self._found(path, line, implied=True)
        path = (*path, last)
        self._found(path, line)
        self._skip(_EQUALS)
        return path

    def _value(self, path: Path, opened: list[_Open]) -> None:
        """Skip a plain value, or enter an array or inline table."""
        here = self._text[self._at]
        if here in "[{":
            opened.append(_Open(path, "]" if here == "[" else "}"))
            self._at += 1
        else:
            self._skip(_STRING if here in "\"'" else _BARE_VALUE)
