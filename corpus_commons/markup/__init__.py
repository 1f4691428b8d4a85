"""Parses web pages: any bytes in, a flat Dom out.

>>> from corpus_commons.markup import parse
>>> parse("<body><p>Hello, world.</p></body>").tags
['html', 'head', 'body', 'p', '#text']
"""

from __future__ import annotations

from corpus_commons.markup.dom import Dom, parse
from corpus_commons.markup.error import MarkupError

__all__ = ["Dom", "MarkupError", "parse"]
