"""The Lua scripts of the Redis frontier, each one atomic step; they lie in ``lua/``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Script:
    """A script as Redis gets it, and the name by which Redis knows it afterwards."""

    name: str
    text: str
    sha: str


@cache
def script(name: str) -> Script:
    """The script in ``lua/NAME.lua``, after what all of them begin with."""
    folder = files("crawler.frontier.redis") / "lua"
    parts = ((folder / f"{part}.lua").read_text(encoding="utf-8") for part in ("prelude", name))
    text = "\n".join(parts)
    # Redis's own choice; nothing secret depends on it.
    return Script(name, text, sha1(text.encode(), usedforsecurity=False).hexdigest())
