"""From bytes to text as browsers do it: BOM, HTTP charset, ``<meta>``, then detection.

The order is that of the WHATWG encoding sniffing algorithm
(https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding).
"""

from __future__ import annotations

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import html_to_unicode

# Detection reads no more than this: the head and the first screens decide.
_DETECTION_BYTES = 65_536


def decode(body: bytes, charset: str | None = None) -> str:
    """The text of ``body``; bytes that are wrong in its encoding become U+FFFD.

    >>> decode("<p>łódź".encode("iso-8859-2"), "iso-8859-2")
    '<p>łódź'
    >>> decode('<meta charset="gbk"><p>中文'.encode("gbk"))
    '<meta charset="gbk"><p>中文'
    """
    content_type = f"text/html; charset={charset}" if charset else None
    _, text = html_to_unicode(content_type, body, auto_detect_fun=_detect)
    return text


def _detect(body: bytes) -> str:
    return detect_encoding(body[:_DETECTION_BYTES], html5_compatible=True) or "utf-8"
