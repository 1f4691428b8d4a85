"""Ends a ``<title>`` that is never closed, which would swallow the rest of the page.

The tree builder of the standard does that; a page with a damaged head would have no text at all.
"""

from __future__ import annotations

import re

# It also matches up to the end of the page, so that the search takes linear time.
_TITLE = re.compile(rb"<title(?=[\t\n\f\r />])[^>]*+(?:>|\Z)", re.I)
_END_TAG = re.compile(rb"</title(?=[\t\n\f\r />])", re.I)


def close_title(page: bytes) -> bytes:
    """``page`` (UTF-8) with an end tag for its title, before the next tag, if it has none at all.

    >>> close_title(b"<head><title>Rain<meta name=a><body><p>It rained.")
    b'<head><title>Rain</title><meta name=a><body><p>It rained.'
    """
    title = _TITLE.search(page)
    if title is None or _END_TAG.search(page, title.end()):
        return page
    end = page.find(b"<", title.end())
    return page if end < 0 else page[:end] + b"</title>" + page[end:]
