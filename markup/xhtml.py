"""XHTML that is served as XML, for a tree builder of HTML.

In XML any tag may end its own element; in HTML only those of void elements and of svg and math do,
and ``<script/>`` swallows the page behind it.
"""

from __future__ import annotations

from markup.tags import VOID
from markup.tokens import RAW_TEXT, TOKEN, UNQUOTED_AT_END, end_of_raw_text

_VOID = frozenset(name.encode() for name in VOID)


def with_end_tags(page: bytes) -> bytes:
    """``page`` with end tags for elements that end themselves; its encoding extends ASCII.

    >>> with_end_tags(b'<script src="a.js" /><p>one<br/>two</p>')
    b'<script src="a.js" ></script><p>one<br/>two</p>'
    """
    pieces: list[bytes] = []
    copied = 0
    position: int | None = 0
    while position is not None and (token := TOKEN.search(page, position)):
        position = token.end()
        if token[1] or not token[2]:
            continue
        name = token[2].lower()
        attributes, ending = token[3], page[token.end(3) : position]
        if attributes.endswith(b"/") and ending and not UNQUOTED_AT_END.search(attributes):
            if name not in _VOID:
                pieces += (page[copied : token.end(3) - 1], b"></", token[2], b">")
                copied = position
        elif name in RAW_TEXT:
            position = end_of_raw_text(page, name, position)
    pieces.append(page[copied:])
    return b"".join(pieces)
