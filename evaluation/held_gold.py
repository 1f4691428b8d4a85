"""Whether a page holds its gold text, which bounds what any method can score on it.

Gold text may have been written by scripts, be from the later pages of an article, or be of another
version of the page.
"""

from __future__ import annotations

from typing import Final, Literal

from corpus_commons.markup.dom import parse
from corpus_commons.markup.error import MarkupError
from evaluation.metrics.words import words
from extraction.methods.boosted_blocks.view import all_blocks

Held = Literal["whole", "in part", "unknown"]

# Gold texts differ from pages by a few words also where somebody marked them by hand.
_WHOLE: Final = 0.9


def held(html: str, gold_text: str | None) -> Held:
    """Whether the page's text, hidden parts included, has nearly all words of the gold text.

    ``unknown`` without a gold text, and for a page that cannot be parsed.

    >>> held("<p>Rain fell <span hidden>for two days.</span>", "Rain fell for two days.")
    'whole'
    >>> held("<p>Rain fell <script>more('for two days.')</script>", "Rain fell for two days.")
    'in part'
    """
    if gold_text is None:
        return "unknown"
    try:
        dom = parse(html)
    except MarkupError:
        return "unknown"
    text = "\n".join(all_blocks(dom).texts)
    is_whole = not gold_text.strip() or words(text, gold_text).recall >= _WHOLE
    return "whole" if is_whole else "in part"
