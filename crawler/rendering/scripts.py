"""The JavaScript that is run in pages, from ``js/``.

``quiet.js`` and ``initial.js`` run in the page's own world, before its scripts. The others are
evaluated in an isolated world, which the page's scripts cannot reach.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final


def _script(name: str) -> str:
    return (files("crawler.rendering") / "js" / f"{name}.js").read_text(encoding="utf-8")


INITIAL: Final = f"({_script('quiet')})();\n{_script('initial')}"
_SETTLED: Final = _script("settled")
_CONTENT: Final = _script("content")


def settled(quiet: float, most: float) -> str:
    """A promise that resolves when the page has settled, see ``settled.js``; times in seconds."""
    return f"({_SETTLED})({quiet * 1000}, {most * 1000})"


def content(limit: int) -> str:
    """The DOM as HTML, and its length in UTF-16 units; no HTML if that exceeds the limit."""
    return f"({_CONTENT})({limit})"
