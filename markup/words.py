"""Words of a text, counted fast enough for a whole corpus."""

from __future__ import annotations

import re

from markup.characters import IDEOGRAPHS, KHMER, MYANMAR, THAI_AND_LAO, TIBETAN, in_brackets

# Written without spaces are ideographs and kana, each of which counts as a word, and the scripts
# of Thai, Lao, Tibetan, Burmese and Khmer, of which four characters do. Hangul has spaces.
_UNSPACED = re.compile(
    rf"[{in_brackets(IDEOGRAPHS)}\U00020000-\U0003ffff]"
    rf"|[{in_brackets((THAI_AND_LAO, TIBETAN, MYANMAR, KHMER))}]{{1,4}}"
)


def count_words(text: str) -> int:
    """What white space parts, and in scripts without it each ideograph or four characters.

    >>> count_words("It's a fine day."), count_words("中文 web"), count_words("日本語です。")
    (4, 3, 6)
    >>> count_words("กรุงเทพมหานคร เป็นเมืองหลวง")
    8
    """
    if text.isascii():
        return len(text.split())
    return len(_UNSPACED.sub(" x ", text).split())
