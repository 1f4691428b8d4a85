"""Puts declared shadow roots in place, whose content browsers show and the tree builder drops.

As in rendered pages, the content of ``<template shadowrootmode>`` becomes that of the element
around it (https://html.spec.whatwg.org/multipage/scripting.html#attr-template-shadowrootmode). What
that element itself holds follows, wherever the root has slots for it.

Most pages have only menus, buttons and icons there, whose words between the paragraphs mislead. So,
like ``<noscript>``, shadow roots count only on a page that has most of its text there.
"""

from __future__ import annotations

import re

from corpus_commons.markup.tokens import RAW_TEXT, TOKEN, end_of_raw_text

_ATTRIBUTE = b"shadowrootmode"
_MODE = re.compile(
    rb"(?<![^\t\n\f\r /\"'])shadowrootmode\s*=\s*[\"']?(?:open|closed)(?=[\"'\s/]|\Z)", re.I
)


def place_shadow_roots(page: bytes) -> bytes:
    """``page`` (UTF-8) without the tags of its shadow roots, if these hold most of its text.

    A page without ``shadowrootmode`` in lower case is returned unchanged.

    >>> place_shadow_roots(b"<my-text><template shadowrootmode=open><p>Hello</template></my-text>")
    b'<my-text><p>Hello</my-text>'
    """
    if _ATTRIBUTE not in page:
        return page
    pieces: list[bytes] = []
    copied = outside = inside = 0
    are_roots: list[bool] = []
    position: int | None = 0
    while position is not None and (token := TOKEN.search(page, position)):
        if all(are_roots[-1:]):
            characters = len(page[position : token.start()].strip())
            if are_roots:
                inside += characters
            else:
                outside += characters
        position = token.end()
        name = (token[2] or b"").lower()
        if name == b"template":
            if _is_of_root(token, are_roots):
                pieces.append(page[copied : token.start()])
                copied = position
        elif name in RAW_TEXT and not token[1]:
            position = end_of_raw_text(page, name, position)
    pieces.append(page[copied:])
    return b"".join(pieces) if inside > outside else page


def _is_of_root(tag: re.Match[bytes], are_roots: list[bool]) -> bool:
    """Whether the tag is that of a root, of which there is none in other templates.

    are_roots: of every open template, whether it is one; kept up to date.
    """
    if tag[1]:
        return are_roots.pop() if are_roots else False
    is_root = all(are_roots[-1:]) and _MODE.search(tag[3]) is not None
    are_roots.append(is_root)
    return is_root
