"""The problems of a job file, with line, key, value and what would be right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import inf
from typing import Final

from pydantic_core import ErrorDetails

from settings.job import Job
from settings.lines import Path
from settings.logins import without_login
from settings.shape import choices_of, field_at, key_text, kind_of, names, tables
from settings.values import UNLIMITED, Kind, Table

_LONGEST_VALUE: Final = 80
_EXAMPLES: Final[Mapping[Path, str]] = {
    ("name",): 'name = "my-corpus"',
    ("seeds",): '[seeds] with urls = ["https://example.com/"]',
}
# What would be right, by the type of pydantic's error: a bound, or the type of a value.
_BOUNDS: Final = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}
_TYPES: Final = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "a string in quotes",
}


@dataclass(frozen=True)
class Problem:
    """source: the file name, as given. line: counted from 1; None if the problem has no line.

    key: such as ``seeds.urls[0]``; empty if the problem has no key.
    """

    source: str
    line: int | None
    key: str
    message: str

    def __str__(self) -> str:
        where = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{where}: {self.key} {self.message}" if self.key else f"{where}: {self.message}"


class JobError(ValueError):
    """A job file is invalid. ``problems`` has everything that is wrong, by line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(
            sorted(set(problems), key=lambda problem: (problem.line or 0, str(problem)))
        )
        super().__init__("\n".join(map(str, self.problems)))


def message_of(error: ErrorDetails, root: type[Table] = Job) -> str:
    """The message after the key, for one of pydantic's errors. root: the model of the file."""
    path = error["loc"]
    if error["type"] == "missing":
        example = _EXAMPLES.get(path)
        return f"is missing; add it, such as {example}" if example else "is missing; add it"
    if error["type"] == "extra_forbidden":
        return _unknown(path, root)
    field = field_at(path, root)
    kind, cause = kind_of(field), error.get("ctx", {}).get("error")
    message = f"is {_shown(_with_unit(error['input'], kind), kind)}; it must be "
    if isinstance(cause, ValueError) and str(cause).startswith("must "):
        return message.removesuffix("must be ") + str(cause)
    return message + _right(error, kind, choices_of(field), root)


def _right(
    error: ErrorDetails, kind: Kind | None, choices: Sequence[str], root: type[Table]
) -> str:
    """What the value must be."""
    type_, value, limits = error["type"], error["input"], error.get("ctx", {})
    if type_ in _BOUNDS:
        words, name = _BOUNDS[type_]
        bound = f"{words} {(kind.shown if kind else str)(limits[name])}"
        return f'{bound}, or "{UNLIMITED}"' if kind and kind.unlimited else bound
    if type_ == "literal_error":
        close = get_close_matches(value, choices, n=1) if isinstance(value, str) else []
        listed = enumeration([f'"{choice}"' for choice in choices], last="or")
        return f'{listed}; did you mean "{close[0]}"?' if close else listed
    if type_ == "string_too_long":
        return f"at most {limits['max_length']} characters"
    if type_ == "tuple_type":
        example = value if isinstance(value, str | int | float) else "…"
        return f"a list in brackets, such as {_shown([example])}"
    if type_ == "too_short":
        return "a non-empty list"
    if type_ == "model_type":
        return f"a table with the keys {enumeration(list(names(tables(root)[error['loc']])))}"
    return kind.right if kind else _TYPES.get(type_, error["msg"][:1].lower() + error["msg"][1:])


def _unknown(path: Path, root: type[Table]) -> str:
    *table, last = path
    name, known = str(last), list(names(tables(root)[tuple(table)]))
    close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
    if close:
        return f"is not a known key; did you mean {close[0]}?"
    elsewhere = [other for other, type_ in tables(root).items() if name in names(type_)]
    if elsewhere:
        where = f"in [{key_text(elsewhere[0])}]" if elsewhere[0] else "at the top level"
        return f"is not a known key here; it belongs {where}"
    return f"is not a known key; the keys here are {enumeration(known)}"


def enumeration(words: Sequence[str], last: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


def _with_unit(value: object, kind: Kind | None) -> object:
    """Seconds as they are written, such as "10ms"; other values as they are."""
    is_read = isinstance(value, float) and 0 <= value < inf
    return kind.shown(value) if is_read and kind and kind.name == "duration" else value


def _shown(value: object, kind: Kind | None = None) -> str:
    """A value roughly as in TOML, without passwords, and truncated."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = type(value).__name__
    hidden = kind.hide(text) if kind and kind.hide else without_login(text)
    return hidden if len(hidden) <= _LONGEST_VALUE else hidden[:_LONGEST_VALUE] + "…"
