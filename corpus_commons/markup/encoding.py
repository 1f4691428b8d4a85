"""Decodes bytes as browsers do: by BOM, HTTP charset, ``<meta>``, then detection.

The order is that of the WHATWG encoding sniffing algorithm
(https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding). Unlike
browsers, it passes over a declaration that is evidently wrong.
"""

from __future__ import annotations

import codecs
import re
from typing import Final, NamedTuple

from resiliparse.parse.encoding import detect_encoding
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

UTF_8: Final = "utf-8"
# The encodings of the Encoding standard, by w3lib's names. Python has others, such as base64.
# https://encoding.spec.whatwg.org/#names-and-labels
_SINGLE_BYTE: Final = frozenset(
    "cp866 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 "
    "iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic cp874 "
    "cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258".split()
)
_STANDARD = _SINGLE_BYTE | frozenset(
    "utf-8 utf-16 utf-16-le utf-16-be gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949".split()
)
# Detection reads at most this much, starting at the first non-ASCII byte.
_DETECTION_BYTES = 65_536
# Old servers say so of every page.
_OF_OLD_SERVERS: Final = "cp1252"
# Of browsers' windows-1252: it has a character for every byte, Python's has not.
_WESTERN: Final = codecs.charmap_build(
    "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in range(256))
)
_LATIN: Final = ("iso8859-2", "cp1250", "cp1252")
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_NOT_ASCII_RUN = re.compile(rb"[\x80-\xff]+")
# The escape sequence of ISO-2022-JP, which consists of ASCII bytes.
_JAPANESE_IN_ASCII = b"\x1b$"
# Detection takes some pages in windows-1251 for Mac Cyrillic, which has the same small letters but
# one; no browser detects that.
_UNLIKELY: Final = {"mac-cyrillic": "cp1251"}
# So many invalid bytes are strays, and no evidence against the declared encoding.
_STRAYS: Final = 4
# Those that no text has; of random bytes they are a tenth.
_CONTROLS: Final = bytes({*range(1, 32)} - {*b"\t\n\v\f\r\x1b"})
# A tag in UTF-16. Two bytes of it, `<` and a zero, stand in 3 % of random beginnings.
_UTF_16_TAG: Final = re.compile(rb"<\0[!/?A-Za-z]\0|\0<\0[!/?A-Za-z]")
# How a page in UTF-16 begins, in little endian or in the group's order.
_UTF_16_START: Final = re.compile(rb"(?:\s\0)*+<\0[!?A-Za-z]\0|((?:\0\s)*+\0<\0[!?A-Za-z])")
_BINARY: Final = (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x1f\x8b")


class Decoded(NamedTuple):
    """encoding: the name of Python's codec."""

    text: str
    encoding: str


def decode(body: bytes, charset: str | None = None) -> str:
    """The text of ``body``; bytes that are invalid in its encoding become U+FFFD.

    >>> decode("<p>łódź".encode("iso-8859-2"), "iso-8859-2")
    '<p>łódź'
    >>> decode('<meta charset="gbk"><p>中文'.encode("gbk"))
    '<meta charset="gbk"><p>中文'
    """
    return decoded(body, charset).text


def decoded(body: bytes | str, charset: str | None = None) -> Decoded:
    """The text of ``body`` as from ``decode``, and its encoding.

    If it is already text, the encoding is UTF-8.
    """
    if isinstance(body, str):
        return Decoded(body, UTF_8)
    encoding = encoding_of(body, charset)
    _, mark = read_bom(body)
    return Decoded(to_unicode(body[len(mark or b"") :], encoding), encoding)


def reread(text: str) -> str:
    """The text of a page that was read as Latin-1, though it is in another encoding.

    HTTP libraries do that if the header names no encoding, as RFC 2616 (section 3.7.1) said, and
    servers, which then send what they read as UTF-8. Other text is returned as it is.

    >>> reread("<p>Ã©tÃ©"), reread("<p>été")
    ('<p>été', '<p>été')
    >>> reread("<meta charset=windows-1251><p>Ñåãîäíÿ")
    '<meta charset=windows-1251><p>Сегодня'
    """
    body = None if text.isascii() else _as_western(text)
    if body is None:
        return text
    is_wrong = _is_utf_8(body, whole=True) or _is_misread(text, body, _declared(body))
    return decode(body) if is_wrong else text


def _as_western(text: str) -> bytes | None:
    """The bytes of a text that was read as Latin-1 or windows-1252; None for most other ones."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError as error:
        beside = text[max(error.start - 1, 0) : error.start + 2]
    if _beyond_ascii(beside) < 2:
        # A quotation mark, beside which there is no other byte of a misread character.
        return None
    try:
        return codecs.charmap_encode(text, "strict", _WESTERN)[0]
    except UnicodeEncodeError:
        return None


def _is_misread(text: str, body: bytes, declared: str | None) -> bool:
    """Whether the encoding that the page declares lacks most of its characters beyond ASCII.

    The declaration may be what is wrong. But in one of another script than Latin, words consist of
    such characters, which otherwise stand alone among letters of ASCII.
    """
    if declared in (None, UTF_8) or not _may_be(body, declared):
        return False
    # GB18030 has every character, of which pages have those of GBK.
    held = text.encode("gbk" if declared == "gb18030" else declared, "ignore").decode(declared)
    is_foreign = len(text) - len(held) > max(_STRAYS, _beyond_ascii(held))
    return is_foreign and (declared in _LATIN or _has_foreign_words(body))


def _has_foreign_words(body: bytes) -> bool:
    runs = _NOT_ASCII_RUN.findall(body)
    return sum(map(len, runs)) >= 2 * len(runs)


def encoding_of(body: bytes, charset: str | None = None) -> str:
    """The encoding of ``body``, by the name of Python's codec.

    >>> encoding_of('<meta charset="gbk"><p>中文'.encode("gbk"))
    'gb18030'
    """
    return declared_encoding(body, charset) or _detected(body)


def declared_encoding(body: bytes, charset: str | None = None) -> str | None:
    """The encoding that a page says it is in; None if it says none, or one that it is not in.

    >>> declared_encoding(b"<p>text", "latin1"), declared_encoding("<p>中文".encode())
    ('cp1252', None)
    """
    marked, _ = read_bom(body)
    if marked:
        return marked
    header, own = _named(charset) if charset else None, _declared(body)
    if header == _OF_OLD_SERVERS and _is_misread(body.decode("latin-1"), body, own):
        return own
    return next((one for one in (header, own) if one and _may_be(body, one)), None)


def _may_be(body: bytes, encoding: str) -> bool:
    """Whether at most half of the characters beyond ASCII are invalid, or only a few.

    What is UTF-8 throughout, which hardly any text is by chance, is in no encoding of single bytes.
    """
    if encoding in _SINGLE_BYTE and not body.isascii() and _is_utf_8(body, whole=True):
        return False
    text = body.decode(encoding, "replace")
    invalid = text.count("\ufffd")
    return invalid <= _STRAYS or invalid <= _beyond_ascii(text) / 2


def _beyond_ascii(text: str) -> int:
    """The number of its characters beyond ASCII."""
    return len(text) - len(text.encode("ascii", "ignore"))


def _named(charset: str) -> str | None:
    """The encoding in the HTTP header; None if it is not a label of the standard."""
    encoding = _standard(http_content_type_encoding(f"text/html; charset={charset}"))
    return "utf-16-le" if encoding == "utf-16" else encoding


def _declared(body: bytes) -> str | None:
    """The encoding that the page declares; UTF-16 is taken for UTF-8 (section 13.2.3.2)."""
    encoding = _standard(html_body_declared_encoding(body))
    return UTF_8 if encoding is not None and encoding.startswith("utf-16") else encoding


def _detected(body: bytes) -> str:
    if wide := _UTF_16_START.match(body):
        return "utf-16-be" if wide[1] else "utf-16-le"
    if _is_utf_8(body):
        return UTF_8
    first = _NOT_ASCII.search(body)
    start = first.start() if first else 0
    found = detect_encoding(body[start : start + _DETECTION_BYTES], html5_compatible=False)
    encoding = _standard(resolve_encoding(found or "")) or UTF_8
    return _UNLIKELY.get(encoding, encoding)


def _is_utf_8(body: bytes, *, whole: bool = False) -> bool:
    """Whether it is valid UTF-8. whole: whether the last character may not be truncated."""
    if _JAPANESE_IN_ASCII in body:
        return False
    try:
        codecs.utf_8_decode(body, "strict", whole)
    except UnicodeDecodeError:
        return False
    return True


def _standard(encoding: str | None) -> str | None:
    return encoding if encoding in _STANDARD else None


def is_binary(body: bytes) -> bool:
    """Whether the first bytes show that the body is not text, whatever its media type.

    >>> is_binary(b"%PDF-1.7"), is_binary(b"<p>A page")
    (True, False)
    """
    start = body[:1024]
    # Its pages are full of zeros and control characters.
    is_utf_16 = bool(start.startswith((b"\xff\xfe", b"\xfe\xff")) or _UTF_16_TAG.search(start))
    has_zeros = b"\0" in start and b"<" not in start
    controls = len(start) - len(start.translate(None, _CONTROLS))
    has_controls = controls > max(_STRAYS, len(start) / 20)
    return start.startswith(_BINARY) or (not is_utf_16 and (has_zeros or has_controls))
