"""Makes XHTML that is served as XML readable for an HTML tree builder.

In XML any element may be self-closing; in HTML only void elements and those in svg and math are,
and ``<script/>`` swallows the rest of the page. In XML a CDATA section is text; in HTML it is a
comment up to its first ``>``.
"""

from __future__ import annotations

from corpus_commons.markup.tags import VOID
from corpus_commons.markup.tokens import RAW_TEXT, TOKEN, closes_itself, end_of_raw_text

_VOID = frozenset(name.encode() for name in VOID)
_CDATA, _END_OF_CDATA = b"<![CDATA[", b"]]>"


def with_end_tags(page: bytes) -> bytes:
    """``page`` with end tags for self-closing elements, and CDATA sections as plain text.

    Its encoding must be a superset of ASCII.

    >>> with_end_tags(b'<script src="a.js" /><p>one<br/>two</p>')
    b'<script src="a.js" ></script><p>one<br/>two</p>'
    >>> with_end_tags(b"<p><![CDATA[a < b & c]]></p>")
    b'<p>a &lt; b &amp; c</p>'
    """
    pieces: list[bytes] = []
    copied = 0
    position: int | None = 0
    while position is not None and (token := TOKEN.search(page, position)):
        position = token.end()
        if token.group().startswith(_CDATA):
            begin = token.start() + len(_CDATA)
            end = page.find(_END_OF_CDATA, begin)
            if end < 0:
                break
            pieces += (page[copied : token.start()], _escaped(page[begin:end]))
            copied = position = end + len(_END_OF_CDATA)
            continue
        if token[1] or not token[2]:
            continue
        name = token[2].lower()
        attributes, ending = token[3], page[token.end(3) : position]
        if ending and closes_itself(attributes):
            if name not in _VOID:
                pieces += (page[copied : token.end(3) - 1], b"></", token[2], b">")
                copied = position
        elif name in RAW_TEXT:
            position = end_of_raw_text(page, name, position)
    pieces.append(page[copied:])
    return b"".join(pieces)


def _escaped(text: bytes) -> bytes:
    return text.replace(b"&", b"&amp;").replace(b"<", b"&lt;")
