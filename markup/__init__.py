"""Web pages as trees: bytes in, a flat Dom out, whatever the bytes are.

>>> from markup import parse
>>> parse("<body><p>Hello, world.</p></body>").tags
['html', 'head', 'body', 'p', '#text']
"""

from __future__ import annotations

from markup.dom import Dom, parse
from markup.error import MarkupError

__all__ = ["Dom", "MarkupError", "parse"]
