"""Pages without telling names, to train classifiers that do not depend on any.

Build tools make up the names of elements, and people name them in any language.
"""

from __future__ import annotations

import zlib
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from corpus_commons.markup.dom import tamed

_NAMING: Final = ("class", "id", "data-testid")


def nameless(html: str) -> str:
    """The page with made-up names in place of the names of its elements, equal ones for equal ones.

    Raises MarkupError for a page that cannot be parsed.
    """
    tree = LexborHTMLParser(tamed(html))
    for attribute in _NAMING:
        for element in tree.css(f"[{attribute}]"):
            names = (element.attributes[attribute] or "").split()
            element.attrs[attribute] = " ".join(map(made_up, names))
    return tree.html or ""


def made_up(name: str) -> str:
    """Of digits only: letters might be read as a word."""
    return f"_{zlib.crc32(name.encode())}"
