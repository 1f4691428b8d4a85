"""Characters that a page draws with pictures: emoji and smileys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_NAMES = re.compile(r"emoji|smil(?:e|ey|ie)", re.I)
_LONGEST: Final = 12


def drawn_character(attributes: Mapping[str, str | None]) -> str:
    """What the ``<img>`` with these attributes stands for in a text; empty for other pictures.

    >>> drawn_character({"class": "smilie", "alt": ":)"})
    ':)'
    """
    alt = (attributes.get("alt") or "").strip()
    # A word is a description, such as "Smile".
    if not alt or len(alt) > _LONGEST or alt[0].isalnum():
        return ""
    names = f"{attributes.get('class')} {attributes.get('src')}"
    return alt if _NAMES.search(names) else ""
