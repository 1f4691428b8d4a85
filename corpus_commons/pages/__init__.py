"""The common look of all that people open in a browser: reports, the live page, tools.

A template of another folder begins with ``{% extends "page.html" %}``, and takes numbers and charts
from ``parts.html``. It inserts nothing unescaped: what pages say is not trusted.
"""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment

from corpus_commons.templates import templates_in

_COMMON = Path(__file__).parent


def pages_in(folder: Path) -> Environment:
    """The templates of a folder, with the common ones and the filter ``number`` (``1,234``)."""
    environment = templates_in(folder, _COMMON)
    environment.filters["number"] = "{:,}".format
    return environment


def encodable(html: str) -> str:
    r"""The page with question marks for lone surrogates, which UTF-8 cannot encode.

    >>> encodable("a\ud800b")
    'a?b'
    """
    return html.encode("utf-8", "replace").decode()
