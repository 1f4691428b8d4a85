"""Removes line breaks in a page's source (CSS: segment breaks) that do not stand for a space.

https://www.w3.org/TR/css-text-3/#line-break-transform
"""

from __future__ import annotations

import re

# Chinese, Japanese and Yi with their punctuation and full-width forms; Hangul uses spaces.
_WIDE = (
    "\u2e80-\u2fdf\u3001-\u30ff\u3105-\u312f\u31a0-\u31ff\u3220-\u325f\u3280-\u4dbf\u4e00-\ua4cf"
    "\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff9f\uffe0-\uffe6\U00020000-\U0003ffff"
)
_BETWEEN_WIDE = re.compile(rf"(?<=[{_WIDE}])[ \t\r\f]*\n[ \t\n\r\f]*(?=[{_WIDE}])")


def without_segment_breaks(text: str) -> str:
    r"""The text without line breaks between wide characters; all others stand for spaces.

    >>> without_segment_breaks("中国位于\n  亚洲 东部")
    '中国位于亚洲 东部'
    """
    if "\n" not in text or text.isascii():
        return text
    return _BETWEEN_WIDE.sub("", text)
