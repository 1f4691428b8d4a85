"""Names of files as text: some are not UTF-8, and stand in no JSON and no page as they are."""

from __future__ import annotations

import os


def as_text(name: str) -> str:
    r"""Other names are other texts, but for those that are made to be like one.

    >>> as_text(os.fsdecode(b"caf\xe9")), as_text("café")
    ('caf\\xe9', 'café')
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")
