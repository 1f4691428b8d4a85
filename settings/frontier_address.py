"""Where a frontier is: on this machine, or in a Redis server."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

EMBEDDED: Final = "embedded"
FRONTIERS: Final = (
    '"embedded", or a Redis URL: "redis://host:6379/0", "rediss://…" or "unix:///path"'
)
_DATABASE: Final = re.compile(r"/?[0-9]*/?")


def frontier_url(text: str) -> str:
    """``embedded`` or a Redis URL. Raises ValueError that says what would be right."""
    if text == EMBEDDED:
        return text
    try:
        problem = _problem_of_redis(urlsplit(text))
    except ValueError:
        # Not the original message: it may contain a part of the password.
        problem = f"must be {FRONTIERS}"
    if problem:
        raise ValueError(problem)
    return text


def _problem_of_redis(parts: SplitResult) -> str | None:
    """What is wrong with a Redis URL, or None. Raises ValueError for a wrong port."""
    beyond = parts.path + parts.query.partition("=")[0] + parts.fragment
    if parts.netloc.count("@") > 1 or (parts.netloc and "@" in beyond):
        return (
            'must have "@", "/", "?" and "#" in the password percent-encoded, as "%40", "%2F", '
            '"%3F" and "%23"'
        )
    if parts.scheme == "unix":
        is_one = parts.path.startswith("/") and not parts.netloc.rpartition("@")[2]
    else:
        is_one = parts.scheme in ("redis", "rediss") and bool(parts.hostname) and parts.port != 0
    if not is_one:
        return f"must be {FRONTIERS}"
    if parts.scheme != "unix" and not _DATABASE.fullmatch(parts.path):
        return 'must have a number as database, as in "redis://host:6379/0"'
    return None
