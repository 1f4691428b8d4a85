"""What JSON-LD and microdata have in common: the vocabulary of https://schema.org/."""

from __future__ import annotations

from typing import Final

# Properties, in lower case, whose values are things of their own, beside or within what a page is
# about: their titles, authors and dates are not the page's.
OF_OTHER_THINGS: Final = frozenset(
    "review reviews comment acceptedanswer suggestedanswer itemlistelement haspart blogpost "
    "mentions citation isrelatedto issimilarto relatedlink".split()
)
