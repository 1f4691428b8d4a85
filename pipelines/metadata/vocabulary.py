"""Terms of https://schema.org/ that both JSON-LD and microdata use."""

from __future__ import annotations

from typing import Final

# Properties, in lower case, whose values describe something other than the page, so their titles,
# authors and dates are not the page's.
OF_OTHER_THINGS: Final = frozenset(
    "review reviews comment acceptedanswer suggestedanswer itemlistelement haspart blogpost "
    "mentions citation isrelatedto issimilarto relatedlink".split()
)
