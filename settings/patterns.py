"""Validates a job's regular expressions; refuses those prone to catastrophic backtracking.

Python's engine tries every way to divide the text between repeats. Nested repeats have
exponentially many; every further repeat on one level multiplies the work by the length of the URL.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 500
MOST_REPEATS: Final = 4
# Repeats with a higher maximum, such as {2,30}, count as open-ended.
_FEW: Final = 10

_TOKEN: Final = re.compile(
    r"""
      (?P<escape> \\. )
    | (?P<class> \[ \^? \]? (?: [^\]\\] | \\. )* \] )
    | (?P<comment> \(\?\# [^)]* \) )
    | (?P<open> \( (?P<atomic> \?> )? )
    | (?P<close> \) )
    | (?P<either> \| )
    | (?P<repeat> [*+] | \{ \d* , (?P<most> \d* ) \} ) (?P<manner> [+?]? )
    | (?P<plain> . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass
class _Group:
    """risky: a repeat around it would have many ways to divide the text."""

    atomic: bool = False
    risky: bool = False


def checked(pattern: str) -> str:
    """The pattern, if it is valid. Raises ValueError that says what would be right.

    >>> checked(r"/(news|blog)/[0-9]+")
    '/(news|blog)/[0-9]+'
    """
    if len(pattern) > LONGEST:
        raise ValueError(f"must have at most {LONGEST} characters; split it into several")
    if not pattern:
        raise ValueError('must not be empty; ".*" matches every URL')
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(
            f"must be a regular expression ({error}); write a literal dot as '\\.' in single quotes"
        ) from None
    _refuse_slow(pattern)
    return pattern


def _refuse_slow(pattern: str) -> None:
    groups, closed, repeats = [_Group()], _Group(), 0
    for token in _TOKEN.finditer(pattern):
        before, closed = closed, _Group()
        if token["open"]:
            groups.append(_Group(atomic=bool(token["atomic"])))
        elif token["close"] and len(groups) > 1:
            closed = groups.pop()
            if closed.atomic:
                closed.risky = False
            groups[-1].risky |= closed.risky
        elif token["either"]:
            groups[-1].risky = len(groups) > 1
        elif token["repeat"] and _is_open_ended(token):
            if before.risky:
                raise ValueError(
                    "must not repeat a group that contains a repeat or an alternative, which can "
                    "take for ever; write the group as (?>...), which does not backtrack"
                )
            if token["manner"] != "+":
                groups[-1].risky = True
                repeats += 1
    if repeats > MOST_REPEATS:
        raise ValueError(
            f"must have at most {MOST_REPEATS} open-ended repeats (* or +), not {repeats}; "
            "make some possessive (*+, ++) or split the pattern"
        )


def _is_open_ended(repeat: re.Match[str]) -> bool:
    most = repeat["most"]
    return not most or int(most) > _FEW
