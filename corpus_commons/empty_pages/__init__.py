"""Recognises pages without content despite a status of 200: shells, walls, errors, parked domains.

>>> from corpus_commons.markup import parse
>>> emptiness(parse("<title>Not found</title><p>Sorry!"))
Emptiness(reason=<Reason.SOFT_ERROR: 'soft-404'>, detail='says: Not found', rendering_helps=False)
"""

from __future__ import annotations

from corpus_commons.empty_pages.judging import emptiness, judge, no_content
from corpus_commons.empty_pages.page_text import PageText
from corpus_commons.empty_pages.verdict import Emptiness, Reason

__all__ = ["Emptiness", "PageText", "Reason", "emptiness", "judge", "no_content"]
