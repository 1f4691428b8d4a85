"""The media type of an HTTP response."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_TYPE: Final = re.compile(r"[\w!#$%&'+.^`|~-]+/[\w!#$%&'+.^`|~-]+", re.ASCII)


def last_media_type(fields: Iterable[str]) -> str:
    """In lower case; empty if no field gives one.

    fields: the values of all Content-Type headers. Each may be a list, since proxies join them; the
    last media type in them counts, as in browsers (https://fetch.spec.whatwg.org/).

    >>> last_media_type(["text/plain", "Text/HTML, text/html; charset=utf-8"])
    'text/html'
    >>> last_media_type(["html"])
    ''
    """
    parts = (part.partition(";")[0].strip().lower() for part in ",".join(fields).split(","))
    return ["", *filter(_TYPE.fullmatch, parts)][-1][:100]
