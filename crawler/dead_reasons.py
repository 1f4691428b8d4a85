"""The reasons for which URLs are dead, as people type them."""

from __future__ import annotations

import re
from collections.abc import Collection
from difflib import get_close_matches
from typing import Final

from crawler.outcomes import (
    BLOCKED,
    CONNECTION,
    DNS,
    HOST_DOWN,
    HTTP,
    INTERNAL_ERROR,
    ROBOTS_UNREACHABLE,
    TIMEOUT,
)
from settings.problems import enumeration

REASONS: Final = (
    f"{HTTP}STATUS",
    TIMEOUT,
    DNS,
    f"{CONNECTION}ERROR",
    ROBOTS_UNREACHABLE,
    HOST_DOWN,
    BLOCKED,
    "render-timeout",
    "render-crashed",
    "render-failed",
    "render-budget",
    "browser-lost",
    f"{INTERNAL_ERROR}ERROR",
    "lease lost N times: …",
)
"""All, with capitals for what varies; docs/reference/outcomes.md explains them."""
_VARIES: Final = {"STATUS": r"\d+", "ERROR": r"\S+", "N": r"\d+", "…": ".+"}
_KNOWN: Final = re.compile(
    "|".join(re.sub("|".join(_VARIES), lambda part: _VARIES[part[0]], one) for one in REASONS)
)


def check_reason(reason: str, found: Collection[str]) -> None:
    """Raises ValueError, which names the nearest one, if no URL can be dead for this reason.

    found: the reasons for which URLs are dead now.

    >>> check_reason("http-503", [])
    >>> check_reason("connection", ["connection: refused"])
    Traceback (most recent call last):
        ...
    ValueError: "connection" is no reason of dead URLs; did you mean "connection: refused"?
    """
    if reason in found or _KNOWN.fullmatch(reason):
        return
    word = reason.lower()
    close = get_close_matches(word, found, n=1) or get_close_matches(word, REASONS, n=1)
    right = f'did you mean "{close[0]}"?' if close else f"they are {enumeration(REASONS)}"
    raise ValueError(f'"{reason}" is no reason of dead URLs; {right}')
