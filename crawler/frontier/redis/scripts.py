"""Loads the Lua scripts of the Redis frontier from ``lua/``; each one is an atomic step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """The source of a script, and the SHA-1 by which Redis caches it."""

    name: str
    text: str
    sha: str


@cache
def script(name: str) -> Script:
    """The script in ``lua/NAME.lua``, with the prelude that all scripts share."""
    folder = files("crawler.frontier.redis") / "lua"
    parts = ((folder / f"{part}.lua").read_text(encoding="utf-8") for part in ("prelude", name))
    text = "\n".join(parts)
    # Redis requires SHA-1; security does not depend on it.
    return Script(name, text, sha1(text.encode(), usedforsecurity=False).hexdigest())
