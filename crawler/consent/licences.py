"""Creative Commons licences: what NC and ND mean for a corpus.

https://creativecommons.org/licenses/, versions 1.0 to 4.0. Which licence a page declares, also by
schema.org, is read with its metadata. A licence without these elements allows the use, under its
conditions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crawler.consent.statement import PAGE, Statement

_LICENCE: Final = re.compile(r"https://creativecommons\.org/licenses/([a-z-]+)/")
_SIGNALS: Final = {"nc": "licence-nc", "nd": "licence-nd"}


def statements(licence: str | None) -> Iterator[Statement]:
    """What the licence of a document says. licence: its URL, as in the document's metadata.

    >>> [one.signal for one in statements("https://creativecommons.org/licenses/by-nc-nd/4.0/")]
    ['licence-nc', 'licence-nd']
    """
    found = _LICENCE.match(licence or "")
    elements = set(found[1].split("-")) if found else set()
    for element, signal in _SIGNALS.items():
        if element in elements:
            yield Statement.of(signal, "no", PAGE, licence or "")
