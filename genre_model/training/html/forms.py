"""The forms of a page that are trained on, so that the classifier depends on nothing in particular.

Many pages are stored without scripts and style, and build tools make up the names of elements.
"""

from __future__ import annotations

import re
import zlib
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from corpus_commons.markup.dom import tamed

_UNSTORED = re.compile(r"<(script|style)\b[^>]*+>.*?</\1\s*+>", re.S | re.I)
_INLINE_STYLE = re.compile(r"""\sstyle\s*+=\s*+(?:"[^"]*+"|'[^']*+')""", re.I)
_NAMING: Final = ("class", "id", "data-testid")


def stripped(html: str) -> str:
    """The page without scripts, JSON-LD, style sheets and inline style, as many pages are stored.

    >>> stripped('<p style="color: red">Text<script>run()</script></p>')
    '<p>Text</p>'
    """
    return _INLINE_STYLE.sub("", _UNSTORED.sub("", html))


def nameless(html: str) -> str:
    """The page with made-up names in place of the names of its elements, equal ones for equal ones.

    Raises MarkupError for a page that cannot be parsed.
    """
    tree = LexborHTMLParser(tamed(html))
    for attribute in _NAMING:
        for element in tree.css(f"[{attribute}]"):
            names = (element.attributes[attribute] or "").split()
            element.attrs[attribute] = " ".join(map(_made_up, names))
    return tree.html or ""


def _made_up(name: str) -> str:
    """Of digits only: letters might be read as a word."""
    return f"_{zlib.crc32(name.encode())}"
