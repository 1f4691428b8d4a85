"""Repairs common errors in XML, so that a strict parser accepts it.

Unescaped ``&`` in URLs, HTML entities such as ``&nbsp;`` and control characters are common on the
web, but fatal errors in XML.
"""

from __future__ import annotations

import re
from html import escape
from html.entities import html5
from typing import Final

_CDATA: Final = b"<![CDATA["
_CDATA_END: Final = b"]]>"
# An ampersand, with its reference if there is one, except XML's five predefined entities.
_AMPERSAND: Final = re.compile(
    rb"&(?!(?:amp|lt|gt|quot|apos);)"
    rb"(?:([A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)?"
)
# How many ampersands and CDATA sections are processed: 20 for each entry of the largest list. The
# rest is left unchanged, so that time and growth are bounded.
_MOST: Final = 1_000_000
_CONTROLS: Final = bytes(set(range(0x20)) - set(b"\t\n\r"))
_NO_CHARACTERS: Final = ("\ufffe".encode(), "\uffff".encode())


def mended(data: bytes) -> bytes:
    r"""Repaired XML, in UTF-8; takes linear time.

    HTML entities become characters, characters that XML forbids are removed, and other ampersands
    are escaped. CDATA sections are left unchanged.

    >>> mended(b"<loc>/?a=1&b=2&amp;c&nbsp;&#228;&#11;\x0b</loc><![CDATA[&]]>").decode()
    '<loc>/?a=1&amp;b=2&amp;c\xa0&#228;</loc><![CDATA[&]]>'
    """
    for unwanted in _NO_CHARACTERS:
        data = data.replace(unwanted, b"")
    data = data.translate(None, _CONTROLS)
    done = bytearray()
    at, left = 0, _MOST
    while at < len(data) and left > 0:
        section = _found(data, _CDATA, at)
        text, ampersands = _AMPERSAND.subn(_escaped, data[at:section], left)
        at = _found(data, _CDATA_END, section)
        done += text
        done += data[section:at]
        left -= ampersands + 1
    return bytes(done + data[at:])


def _found(data: bytes, wanted: bytes, start: int) -> int:
    """The position of ``wanted`` from ``start`` on; the end if it is missing."""
    at = data.find(wanted, start)
    return at if at >= 0 else len(data)


def _escaped(ampersand: re.Match[bytes]) -> bytes:
    name = (ampersand[1] or b"").decode()
    if name.startswith("#"):
        code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
        return ampersand[0] if _is_character(code) else b""
    return escape(html5.get(f"{name};", ampersand[0].decode())).encode()


def _is_character(code: int) -> bool:
    """Whether XML allows the character."""
    return (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code < 0xD800
        or 0xE000 <= code < 0xFFFE
        or 0x10000 <= code <= 0x10FFFF
    )
