"""Shows our docstrings on the site: lines such as ``url: of the page`` become items of a list.

An extension of griffe, which reads the code for mkdocstrings; ``zensical.toml`` names it.
"""

from __future__ import annotations

import inspect
import re
from typing import Any, Final

import griffe

_ITEM: Final = re.compile(r"^((?:\w+|``\S+``)(?:, \w+)*): (?=\S)", re.M)
_SENTENCE: Final = re.compile(r"^ *(Raises|Returns) ", re.M)
_EXAMPLE: Final = re.compile(r"^>>> .+(?:\n.+)*", re.M)


def as_markdown(text: str) -> str:
    """In Markdown: names as items of a list, errors in paragraphs, examples as code."""
    summary, _, rest = inspect.cleandoc(text).partition("\n")
    items = _ITEM.sub(r"- **\1**: ", _SENTENCE.sub(r"\n\1 ", rest))
    return f"{summary}\n" + _EXAMPLE.sub(r"```pycon\n\g<0>\n```", items)


class Docstrings(griffe.Extension):
    """Turns every docstring into Markdown."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)
