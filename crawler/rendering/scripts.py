"""What is run in a page, from the files beside: ``quiet.js`` and ``initial.js`` in its own world
before its scripts.

The others are evaluated in a world of their own, where the page's code cannot reach.
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
    """A promise of the end of loading and of changes after it, see the file; times in seconds."""
    return f"({_SETTLED})({quiet * 1000}, {most * 1000})"


def content(limit: int) -> str:
    """The DOM as HTML, and its length in UTF-16 units; empty if that is above the limit."""
    return f"({_CONTENT})({limit})"
