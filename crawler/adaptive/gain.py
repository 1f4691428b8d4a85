"""What rendering brought: the share of a page's text that the static page lacks."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from corpus_commons.markup.measures import WORD

_RUN: Final = re.compile(r"\w+")
# An ideograph or a kana is a word of its own, as scripts without spaces have no ends of words.
_IDEOGRAPH: Final = re.compile("[\u2e80-\U0010ffff]")
# In characters; what is longer has long shown whether it differs.
_LONGEST: Final = 200_000


def gain(static: str, rendered: str) -> float:
    """The share of the words of the rendered page's text that the static page's lacks, in [0, 1].

    >>> gain("Rain and wind", "Rain and wind")
    0.0
    >>> gain("", "Rain and wind")
    1.0
    >>> gain("Rain and wind", "Rain, wind, and more rain")
    0.4
    >>> gain("Rain", "")
    0.0
    """
    after = _words(rendered)
    missing = after - _words(static)
    return missing.total() / after.total() if after else 0.0


def _words(text: str) -> Counter[str]:
    text = text[:_LONGEST].lower()
    return Counter((WORD if _IDEOGRAPH.search(text) else _RUN).findall(text))
