"""Licences by the names that Hugging Face has for them, and their addresses at SPDX."""

from __future__ import annotations

import re
from typing import Final

_CREATIVE_COMMONS: Final = re.compile(r"cc0-1\.0|cc-by(-nc)?(-sa|-nd)?-\d\.\d")
_OTHERS: Final = {
    "apache-2.0": "Apache-2.0",
    "cdla-permissive-1.0": "CDLA-Permissive-1.0",
    "cdla-permissive-2.0": "CDLA-Permissive-2.0",
    "cdla-sharing-1.0": "CDLA-Sharing-1.0",
    "mit": "MIT",
    "odbl": "ODbL-1.0",
    "odc-by": "ODC-By-1.0",
    "pddl": "PDDL-1.0",
}


def licence_address(name: str) -> str | None:
    """The address of the licence; None if it is none of those that data sets usually have.

    >>> licence_address("cc-by-sa-4.0"), licence_address("odc-by")
    ('https://spdx.org/licenses/CC-BY-SA-4.0', 'https://spdx.org/licenses/ODC-By-1.0')
    >>> licence_address("our-own") is None
    True
    """
    known = name.upper() if _CREATIVE_COMMONS.fullmatch(name) else _OTHERS.get(name)
    return f"https://spdx.org/licenses/{known}" if known else None
