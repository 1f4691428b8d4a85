"""The problems of a job file, with line, key, value and what would be right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from pydantic_core import ErrorDetails

from settings.addresses import without_any_login, without_login
from settings.lines import Path
from settings.shape import Place, key_name, place, tables_with
from settings.values import UNLIMITED, Kind

_LONGEST_VALUE: Final = 80


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


def key_text(path: Path) -> str:
    """A path in the form used in messages.

    >>> key_text(("seeds", "urls", 0)), key_text(("a key", "b"))
    ('seeds.urls[0]', '"a key".b')
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + key_name(part)
    return text


def message_of(error: ErrorDetails) -> str:
    """The message after the key, for one of pydantic's errors."""
    where = place(error["loc"])
    if error["type"] == "missing":
        return f"is missing; add it, such as {_EXAMPLES[error['loc']]}"
    if error["type"] == "extra_forbidden":
        return _unknown(error["loc"], where.known)
    value, cause = error["input"], error.get("ctx", {}).get("error")
    message = f"is {_shown(value, where.kind)}; it "
    if isinstance(cause, ValueError) and str(cause).startswith("must "):
        return message + str(cause)
    return message + "must be " + _right(error, where)


def _right(error: ErrorDetails, where: Place) -> str:
    """What the value must be."""
    kind, limits = error["type"], error.get("ctx", {})
    bound = _bound(kind, limits, where.kind)
    if bound:
        return bound
    if kind == "literal_error":
        return _one_of(error["input"], where.choices)
    if kind == "tuple_type":
        return f"a list in brackets, such as {_listed(error['input'])}"
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if where.kind is not None:
        return where.kind.right
    if where.known:
        return f"a table with the keys {_enumeration(where.known)}"
    return error["msg"][:1].lower() + error["msg"][1:]


_SIMPLE: Final = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "a string in quotes",
    "too_short": "a non-empty list",
    "int_parsing_size": "a smaller number",
}
_BOUNDS: Final = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}


def _bound(kind: str, limits: Mapping[str, Any], of: Kind | None) -> str | None:
    if kind == "too_long":
        return f"at most {limits['max_length']} characters"
    if kind not in _BOUNDS:
        return None
    words, name = _BOUNDS[kind]
    least = f"{words} {(of.shown if of else str)(limits[name])}"
    return f'{least}, or "{UNLIMITED}"' if of and UNLIMITED in of.right else least


def _one_of(value: object, choices: tuple[str, ...]) -> str:
    close = get_close_matches(value, choices, n=1) if isinstance(value, str) else []
    listed = _enumeration(tuple(f'"{choice}"' for choice in choices), last="or")
    return f'{listed}; did you mean "{close[0]}"?' if close else listed


def _enumeration(words: tuple[str, ...], last: str = "and") -> str:
    """'a', 'a and b', 'a, b and c'."""
    *most, final = words
    return f"{', '.join(most)} {last} {final}" if most else final


def _unknown(path: Path, known: tuple[str, ...]) -> str:
    name = str(path[-1])
    close = get_close_matches(name.lower().replace("-", "_"), known, n=1)
    elsewhere = [table for table in tables_with(name) if table != path[:-1]]
    if close:
        return f"is not a known key; did you mean {close[0]}?"
    if elsewhere:
        table = key_text(elsewhere[0])
        return "is not a known key here; it belongs " + (
            f"in [{table}]" if table else "at the top level"
        )
    return f"is not a known key; the keys here are {_enumeration(known)}"


def _shown(value: object, kind: Kind | None = None) -> str:
    """A value roughly as in TOML, without passwords, and truncated."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        text = type(value).__name__
    hidden = without_any_login(text) if kind and kind.secret else without_login(text)
    return hidden if len(hidden) <= _LONGEST_VALUE else hidden[:_LONGEST_VALUE] + "…"


def _listed(value: object) -> str:
    return _shown([value if isinstance(value, str | int | float) else "…"])


_EXAMPLES: Final[Mapping[Path, str]] = {
    ("name",): 'name = "my-corpus"',
    ("seeds",): '[seeds] with urls = ["https://example.com/"]',
}
