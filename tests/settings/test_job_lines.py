"""On which line a key stands, whatever way of TOML it is written in."""

from __future__ import annotations

import itertools
import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from settings.lines import key_lines, line_of

PLACES = [
    ("a = 1", ("a",), 1),
    ("# no\n\n  a = 1", ("a",), 3),
    ("\r\na = 1\r\nb = 2\r\n", ("b",), 3),
    ("[t]\n\na = 1", ("t", "a"), 3),
    ("[t]\n\na = 1", ("t",), 1),
    ("\n[a.b]\nc = 1\n[a]\nd = 1", ("a",), 4),
    ("\n[a.b]\nc = 1", ("a",), 2),
    ("[t]\na.b.c = 1\na.b.d = 2", ("t", "a", "b", "d"), 3),
    ("a . 'b' . \"c\" = 1", ("a", "b", "c"), 1),
    ('"a.b\\u0041 = [" = 1', ("a.bA = [",), 1),
    ("a = [\n 1, # ]\n\n 2,\n]\nb = 1", ("a", 1), 4),
    ("a = [\n 1, # ]\n\n 2,\n]\nb = 1", ("b",), 6),
    ("a = [[1,\n2],\n[3]]", ("a", 1, 0), 3),
    ("t = {a = 1, b.c = [1,\n2]}", ("t", "b", "c", 1), 2),
    ("a = [{b = 1},\n{b = 2}]", ("a", 1, "b"), 2),
    ("[[a]]\nb = 1\n[[a]]\nb = 2", ("a", 1, "b"), 4),
    ("[[a]]\nb = 1\n[[a]]\nb = 2", ("a",), 1),
    ("[[a]]\n[[a.b]]\n[[a]]\n[[a.b]]\n[[a.b]]\nc = 1", ("a", 1, "b", 1, "c"), 6),
    ("[[a]]\n[a.b]\nc = 1", ("a", 0, "b", "c"), 3),
    ('a = """\nb = 1\n\\"""" # """\nc = 2', ("c",), 4),
    ('a = """x"""""\nc = 2', ("c",), 2),
    ("a = '''\n'c' = '\n'''''\nc = 2", ("c",), 4),
    ('a = "\\"#["\nc = 2', ("c",), 2),
    ("a = 1979-05-27 07:32:00Z # = [\nc = 2", ("c",), 2),
]


@pytest.mark.parametrize(("text", "path", "line"), PLACES)
def test_a_key_is_found_where_it_stands(text: str, path: tuple[str | int, ...], line: int) -> None:
    tomllib.loads(text)
    assert key_lines(text)[path] == line


def test_what_is_not_in_the_file_is_told_of_at_the_nearest_table() -> None:
    lines = key_lines("a = 1\n[t.u]\nb = 1")
    assert line_of(lines, ("t", "u", "missing")) == 2
    assert line_of(lines, ("nowhere", "b")) is None


def test_deep_and_long_values_are_stepped_over() -> None:
    text = "a = " + "[" * 150 + "]" * 150 + "\nb = '" + "x" * 500_000 + "'\nc = 1"
    tomllib.loads(text)
    assert key_lines(text)["c",] == 3


# A document is drawn as data, then written in drawn ways. Every value is a text with a number of
# its own, so that the line of each can be looked up in the text without a parser.
KEYS = st.text("ab.-_ #[]='\"\\ü\n\t", min_size=1, max_size=4)
NESTED = st.recursive(
    st.just(None),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, min_size=1, max_size=3)
    ),
    max_leaves=8,
)
TRICKS = ("", '"""', "# [x]", "\\", "'''", "]}", "a = 1")


class Writer:
    """Writes data as TOML in ways that ``draw`` chooses."""

    def __init__(self, data: st.DataObject) -> None:
        self.choose = lambda *options: data.draw(st.sampled_from(options))
        self.numbers = itertools.count(1)
        self.places: dict[tuple[str | int, ...], str] = {}

    def key(self, name: str) -> str:
        if name.isascii() and name.replace("-", "").replace("_", "").isalnum():
            return str(self.choose(name, json.dumps(name), f"'{name}'"))
        return json.dumps(name)

    def value(self, data: Any, path: tuple[str | int, ...]) -> str:
        if isinstance(data, list):
            gap = lambda: self.choose("", "\n", " # ] }\n")  # noqa: E731
            parts = (f"{gap()}{self.value(v, (*path, i))}{gap()}" for i, v in enumerate(data))
            return "[" + ",".join(parts) + "]"
        if isinstance(data, dict):
            pairs = (f"{self.key(k)} = {self.value(v, (*path, k))}" for k, v in data.items())
            return "{" + ", ".join(pairs) + "}"
        mark = self.places[path] = f"<{next(self.numbers)}>"
        tricky = mark + self.choose(*TRICKS)
        if self.choose(True, False):
            return json.dumps(tricky)
        return '"""' + json.dumps(tricky)[1:-1] + self.choose("", '\n"\n', ' ""\\"') + '"""'

    def pairs(self, table: dict[str, Any], path: tuple[str, ...], prefix: str = "") -> str:
        """The keys of a table that are no tables of their own, some of them dotted."""
        text = ""
        for name, data in table.items():
            here, key = (*path, name), prefix + self.key(name)
            if isinstance(data, dict) and self.choose(True, False):
                text += self.pairs(data, here, key + self.choose(".", " . "))
            else:
                text += f"{key}{self.choose(' = ', '=')}{self.value(data, here)}\n"
        return text + str(self.choose("", "\n", "# [no]\n"))

    def document(self, data: dict[str, Any]) -> str:
        inline = {k: v for k, v in data.items() if not isinstance(v, dict) or self.choose(0, 1)}
        text = self.pairs(inline, ())
        for name, table in data.items():
            if name not in inline:
                text += f"[{self.key(name)}]\n{self.pairs(table, (name,))}"
        return text


@settings(deadline=None, max_examples=50)  # the machine may be busy
@given(st.dictionaries(KEYS, NESTED, max_size=3), st.data())
def test_every_value_is_found_on_the_line_where_it_begins(
    data: dict[str, Any], choices: st.DataObject
) -> None:
    writer = Writer(choices)
    text = writer.document(data)
    parsed = tomllib.loads(text)
    lines = key_lines(text)
    for path, mark in writer.places.items():
        value = parsed
        for part in path:
            value = value[part]  # type: ignore[index]
        assert str(value).startswith(mark)
        assert lines[path] == text.count("\n", 0, text.index(mark)) + 1


TABLES = st.lists(
    st.tuples(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), st.booleans()), max_size=8
)


@given(TABLES)
def test_every_key_of_tables_and_arrays_of_tables_is_found(
    headers: list[tuple[list[str], bool]],
) -> None:
    text = ""
    for number, (names, array) in enumerate(headers):
        name = ".".join(names)
        longer = f"{text}{f'[[{name}]]' if array else f'[{name}]'}\nkey{number} = {number}\n"
        try:
            tomllib.loads(longer)
        except tomllib.TOMLDecodeError:
            continue
        text = longer
    lines = key_lines(text)
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), tomllib.loads(text))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*path, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, at), inner) for at, inner in enumerate(value)]
        else:
            assert text.splitlines()[lines[path] - 1] == f"{path[-1]} = {value}"
        assert not path or path in lines
