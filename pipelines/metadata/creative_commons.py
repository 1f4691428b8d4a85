"""The licences of Creative Commons, by their URLs and by their names."""

from __future__ import annotations

import re
from typing import Final

_URL = re.compile(
    r"(?:https?:)?//(?:www\.)?creativecommons\.org/"
    r"(licenses/[a-z-]{2,20}/\d\.\d|publicdomain/(?:zero|mark)/1\.0)"
    r"(?:/([a-z]{2}|igo|scotland)(?=/|$))?",
    re.I,
)
_CANONICAL: Final = "https://creativecommons.org/{}/"
# SPDX identifiers and common names: CC-BY-SA-4.0, CC BY 3.0, CC0; and the full English ones. Until
# 4.0, the name of a country after the version is that of another licence.
NAME: Final = re.compile(
    r"\b(?:(?P<zero>cc[ -]?0)(?:[ -]1\.0)?(?: universal)?"
    r"|(?:cc|creative commons)[ -](?:by|attribution)"
    r"(?P<terms>(?:[ -]+(?:nc|sa|nd|non-?commercial|share-?alike|no-?deriv(?:ative)?s?)\b){0,2})"
    r"[ -](?:international |unported |generic )?"
    r"(?P<version>4\.0|[1-3]\.[05](?= (?:unported|generic|licen[cs]e)|[^\w ]|$))(?![\w-])"
    r"(?: (?:international|unported|generic))?)(?: (?:public )?licen[cs]e)?(?![\w-])",
    re.I,
)
"""The name of a licence with its version."""
_TERMS: Final = {
    "nc": re.compile(r"nc|non", re.I),
    "nd": re.compile(r"nd|no-?deriv", re.I),
    "sa": re.compile(r"sa|share", re.I),
}


def licence_url(text: str) -> str | None:
    """The first URL of a licence in the text, in canonical form.

    >>> licence_url("See //creativecommons.org/licenses/by-SA/3.0/igo/deed.fr")
    'https://creativecommons.org/licenses/by-sa/3.0/igo/'
    """
    found = _URL.search(text)
    if found is None:
        return None
    port = f"/{found[2].lower()}" if found[2] else ""
    return _CANONICAL.format(found[1].lower() + port)


def named(name: re.Match[str]) -> str:
    """The URL of the licence that ``NAME`` has found.

    >>> names = "CC BY 3.0 United States, Creative Commons Attribution-NonCommercial 4.0"
    >>> [named(name) for name in NAME.finditer(names)]
    ['https://creativecommons.org/licenses/by-nc/4.0/']
    """
    if name["zero"]:
        return _CANONICAL.format("publicdomain/zero/1.0")
    terms = "".join(f"-{term}" for term, word in _TERMS.items() if word.search(name["terms"]))
    return _CANONICAL.format(f"licenses/by{terms}/{name['version']}")
