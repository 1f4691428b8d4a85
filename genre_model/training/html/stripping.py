"""Strips pages of scripts, JSON-LD, style sheets and inline style, as many stored pages are.

Stripped copies in training keep the classifier from depending on any of these.
"""

from __future__ import annotations

import re

_UNSTORED = re.compile(r"<(script|style)\b[^>]*+>.*?</\1\s*+>", re.S | re.I)
_INLINE_STYLE = re.compile(r"""\sstyle\s*+=\s*+(?:"[^"]*+"|'[^']*+')""", re.I)


def stripped(html: str) -> str:
    """The stripped page.

    >>> stripped('<p style="color: red">Text<script>run()</script></p>')
    '<p>Text</p>'
    """
    return _INLINE_STYLE.sub("", _UNSTORED.sub("", html))
