"""Ends ``<noscript>`` at its end tag, as browsers that run scripts do.

The tree builder parses it like a browser without scripts: a comment, a tag or a raw text element
that is left open in it, such as ``<iframe/>``, swallows the rest of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from corpus_commons.markup.tokens import RAW_TEXT, TOKEN, end_of_raw_text

_TAG = re.compile(rb"<(/?)noscript(?=[\t\n\f\r />])", re.I)
_END_TAG = re.compile(rb"</noscript(?=[\t\n\f\r />])", re.I)


def close_noscript(page: bytes) -> bytes:
    """``page`` (UTF-8) without what is left open inside ``<noscript>``.

    A page without such markup is returned unchanged.

    >>> close_noscript(b"<noscript>See <a>us</a> <iframe src=x /></noscript><p>text")
    b'<noscript>See <a>us</a> </noscript><p>text'
    """
    if not any(_leaves_open(page, start, end) for start, end in _likely_contents(page)):
        return page
    pieces: list[bytes] = []
    copied = 0
    for start, end in _contents(page):
        pieces.append(page[copied : _end_of_closed(page, start, end)])
        copied = end
    pieces.append(page[copied:])
    return b"".join(pieces)


def _likely_contents(page: bytes) -> Iterator[tuple[int, int]]:
    """The spans between tags of ``<noscript>``, including those in comments, scripts and values."""
    start: int | None = None
    for tag in _TAG.finditer(page):
        if not tag[1]:
            start = tag.end() if start is None else start
        elif start is not None:
            yield start, tag.start()
            start = None


def _contents(page: bytes) -> Iterator[tuple[int, int]]:
    """The spans inside ``<noscript>``, read token by token."""
    position: int | None = 0
    while position is not None and (token := TOKEN.search(page, position)):
        position = token.end()
        name = _started(token)
        if name in RAW_TEXT:
            position = end_of_raw_text(page, name, position)
        elif name == b"noscript":
            end_tag = _END_TAG.search(page, position)
            if end_tag is None:
                return
            yield position, end_tag.start()
            position = end_tag.start()


def _leaves_open(page: bytes, start: int, end: int) -> bool:
    return _end_of_closed(page, start, end) < end


def _end_of_closed(page: bytes, start: int, end: int) -> int:
    """The start of the first token or element that does not end before ``end``; or ``end``."""
    # Something that is left open includes the "<" of the end tag.
    content = page[start : end + 1]
    position = 0
    while token := TOKEN.search(content, position):
        beginning, position = token.span()
        name = _started(token)
        if name in RAW_TEXT:
            end_of_text = end_of_raw_text(content, name, position)
            end_tag = None if end_of_text is None else TOKEN.match(content, end_of_text)
            position = len(content) if end_tag is None else end_tag.end()
        if position == len(content):
            return start + beginning
    return end


def _started(token: re.Match[bytes]) -> bytes:
    """The name of a start tag; empty for all other tokens."""
    return b"" if token[1] or not token[2] else token[2].lower()
