"""Pages as they are often stored: without scripts, JSON-LD, style sheets and inline style.

Such a copy of each page in training teaches the classifier not to lean on any of it.
"""

from __future__ import annotations

import re

_UNSTORED = re.compile(r"<(script|style)\b[^>]*+>.*?</\1\s*+>", re.S | re.I)
_INLINE_STYLE = re.compile(r"""\sstyle\s*+=\s*+(?:"[^"]*+"|'[^']*+')""", re.I)


def stripped(html: str) -> str:
    """The page without them.

    >>> stripped('<p style="color: red">Text<script>run()</script></p>')
    '<p>Text</p>'
    """
    return _INLINE_STYLE.sub("", _UNSTORED.sub("", html))
