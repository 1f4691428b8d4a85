"""What rendering brought: the share of a page's text that the static page lacks."""

from __future__ import annotations

from collections import Counter
from typing import Final

from corpus_commons.compared_words import EAST_ASIAN, tokens

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
    >>> gain("Rain", ""), gain("It's well-known", "It's well-known: 天气")
    (0.0, 0.5)
    """
    texts = static[:_LONGEST], rendered[:_LONGEST]
    # In scripts without spaces, no ends of words are seen. Both texts are split alike.
    unspaced = any(map(EAST_ASIAN.search, texts))
    before, after = (Counter(tokens(text, unspaced=unspaced)) for text in texts)
    return (after - before).total() / after.total() if after else 0.0
