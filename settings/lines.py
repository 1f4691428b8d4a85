"""Finds the line of each key and array element in a TOML file, which ``tomllib`` does not tell.

The text must be valid TOML, which ``tomllib`` has checked before.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from functools import cache

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

Path = tuple[str | int, ...]


def key_lines(text: str) -> dict[Path, int]:
    """The line, counted from 1, of every key, table and array element of a valid TOML text.

    >>> key_lines('''name = "x"
    ... [seeds]
    ... urls = ["https://a.example/",
    ...         "https://b.example/"]''')[("seeds", "urls", 1)]
    4
    """
    lines = _Lines()
    lines.read_document(_parser().parse(text.encode()).root_node)
    return lines.found


def line_of(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of a path; if it is not in the file, of the innermost table above it that is."""
    known = (lines[path[:length]] for length in range(len(path), 0, -1) if path[:length] in lines)
    return next(known, None)


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_toml.language()))


class _Lines:
    """The lines found so far, and how many elements each array of tables has."""

    def __init__(self) -> None:
        self.found: dict[Path, int] = {}
        self._elements: Counter[Path] = Counter()

    def read_document(self, document: Node) -> None:
        for node in _children(document):
            if node.type == "pair":
                self._read_pair(node, ())
            else:
                header, *pairs = _children(node)
                table = self._table(header, is_element=node.type == "table_array_element")
                for pair in pairs:
                    self._read_pair(pair, table)

    def _table(self, header: Node, *, is_element: bool) -> Path:
        """The path of a table, or of an element of an array of tables, from its header."""
        *outer, last = _names(header)
        path: Path = ()
        for name in outer:
            path = self._newest((*path, name))
            self.found.setdefault(path, _line(header))
        path = (*path, last)
        if is_element:
            self.found.setdefault(path, _line(header))
            self._elements[path] += 1
        path = self._newest(path)
        self.found[path] = _line(header)  # Takes precedence over the header of an inner table.
        return path

    def _newest(self, path: Path) -> Path:
        """The path of the last element, if the path is an array of tables."""
        count = self._elements[path]
        return (*path, count - 1) if count else path

    def _read_pair(self, pair: Node, path: Path) -> None:
        key, value = _children(pair)
        for name in _names(key):
            path = (*path, name)
            self.found.setdefault(path, _line(key))
        self._read_value(value, path)

    def _read_value(self, value: Node, path: Path) -> None:
        if value.type == "inline_table":
            for pair in _children(value):
                self._read_pair(pair, path)
        elif value.type == "array":
            for at, element in enumerate(_children(value)):
                self.found[*path, at] = _line(element)
                self._read_value(element, (*path, at))


def _children(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type != "comment"]


def _names(key: Node) -> list[str]:
    """The names of a key, of which a dotted one has several: a tree as deep as there are dots."""
    names, waiting = [], [key]
    while waiting:
        part = waiting.pop()
        if part.type == "dotted_key":
            waiting += reversed(part.named_children)
        else:
            names.append(_name(part))
    return names


def _name(key: Node) -> str:
    text = key.text.decode() if key.text else ""
    if key.type == "quoted_key":
        (text,) = tomllib.loads(f"{text} = 0")
    return text


def _line(node: Node) -> int:
    return node.start_point.row + 1
