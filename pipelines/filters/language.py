"""Text in languages that are not wanted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from crawler.items import Document, Rejection
from pipelines.filters.base import Filter

_CODE = re.compile(r"[a-z]{2,3}")


class Language(Filter):
    """Only these languages, as identified from the text, not as the page declares.

    allowed: ISO 639 codes. probability: the least that the identification must have, in [0, 1].
    """

    def __init__(self, *, allowed: Sequence[str], probability: float = 0.0) -> None:
        if isinstance(allowed, str) or not allowed:
            raise ValueError(f"allowed needs a list of languages such as ['en'], not {allowed!r}")
        for code in allowed:
            if not _CODE.fullmatch(code):
                raise ValueError(f"{code!r} is no ISO 639 code such as 'en'")
        if not 0 <= probability <= 1:
            raise ValueError(f"probability is from 0 to 1, not {probability}")
        self._allowed = frozenset(allowed)
        self._probability = probability

    def judge(self, document: Document) -> Rejection | None:
        if document.language not in self._allowed:
            return Rejection("language", document.language or "unknown")
        probability = document.language_probability or 0.0
        if probability < self._probability:
            return Rejection(
                "language", f"{document.language} with a probability of {probability:.2f} only"
            )
        return None
