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
    | (?P<repeat> [*+] | \{ (?! \} ) (?P<least> \d* , )? (?P<most> \d* ) \} ) (?P<manner> [+?]? )
    | (?P<plain> . )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass
class _Group:
    """risky: a repeat around it would have many ways to divide the text.

    repeats: how many open-ended ones are in it.
    """

    atomic: bool = False
    risky: bool = False
    repeats: int = 0


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
    groups, closed = [_Group()], _Group()
    for token in _TOKEN.finditer(pattern):
        before, closed = closed, _Group()
        if token["open"]:
            groups.append(_Group(atomic=bool(token["atomic"])))
        elif token["close"] and len(groups) > 1:
            closed = groups.pop()
            groups[-1].repeats += closed.repeats
            if closed.atomic:
                closed = _Group()
            groups[-1].risky |= closed.risky
        elif token["either"]:
            groups[-1].risky = len(groups) > 1
        elif token["repeat"]:
            _repeat(before, token, groups[-1])
    if groups[0].repeats > MOST_REPEATS:
        raise ValueError(
            f"must have at most {MOST_REPEATS} open-ended repeats (* or +), counted as often as "
            f"their group is repeated, not {groups[0].repeats}; make some possessive (*+, ++) or "
            "split the pattern"
        )


def _repeat(repeated: _Group, token: re.Match[str], around: _Group) -> None:
    """Count a repeat. Raises ValueError if it would have many ways to divide the text."""
    most = int(token["most"]) if token["most"] else None
    is_few = most is not None and most <= _FEW
    if repeated.risky and not is_few:
        raise ValueError(
            "must not repeat a group that contains a repeat or an alternative, which can "
            "take for ever; write the group as (?>...), which does not backtrack"
        )
    is_exact = most is not None and not token["least"]
    if most is not None and (is_few or is_exact):
        around.repeats += repeated.repeats * max(0, most - 1)
    elif token["manner"] != "+":
        around.risky = True
        around.repeats += 1
