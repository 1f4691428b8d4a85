"""A sample of a run's documents and rejects, small enough for a page to look at.

A reservoir: every page has the same chance to be in it, however many come, and memory is bounded
(J. S. Vitter: Random Sampling with a Reservoir. ACM TOMS 11(1), 1985, algorithm R).
"""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from PIL import Image

from crawler.items import Document
from crawler.verdicts import Rejection
from genre_model.screenshot import ScreenshotError, decode_top

MOST: Final = 200
LONGEST_TEXT: Final = 3000
_THUMBNAIL: Final = (320, 480)


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What is shown of a page.

    text: the kept text, cut to LONGEST_TEXT characters; characters: of all of it.
    thumbnail: JPEG bytes, at most 320 pixels wide and 480 high.
    """

    url: str
    title: str | None
    text: str
    characters: int
    language: str | None = None
    genre: str | None = None
    page_type: str | None = None
    genre_scores: Mapping[str, float] = field(default_factory=dict)
    page_type_scores: Mapping[str, float] = field(default_factory=dict)
    extractor: str | None = None
    rendered: bool = False
    rejection: Rejection | None = None
    thumbnail: bytes | None = None


class Gallery:
    """Documents and rejects apart, at most ``most`` of each."""

    def __init__(self, most: int = MOST, rng: random.Random | None = None) -> None:
        self.documents: list[Exhibit] = []
        self.rejects: list[Exhibit] = []
        self._seen = {"documents": 0, "rejects": 0}
        self._most = most
        self._rng = rng or random.Random(0)  # noqa: S311 - a sample, not a secret

    def add(
        self, document: Document, rejection: Rejection | None, screenshot: bytes | None
    ) -> None:
        """Show the page, perhaps in the place of another."""
        kind = "documents" if rejection is None else "rejects"
        shown = self.documents if rejection is None else self.rejects
        self._seen[kind] += 1
        place = len(shown)
        if place >= self._most:
            place = self._rng.randrange(self._seen[kind])
            if place >= self._most:
                return
        exhibit = _exhibit(document, rejection, screenshot)
        shown[place : place + 1] = [exhibit]


def _exhibit(document: Document, rejection: Rejection | None, screenshot: bytes | None) -> Exhibit:
    return Exhibit(
        url=document.url,
        title=document.title,
        text=document.text[:LONGEST_TEXT],
        characters=len(document.text),
        language=document.language,
        genre=document.genre,
        page_type=document.page_type,
        genre_scores=document.genre_scores,
        page_type_scores=document.page_type_scores,
        extractor=document.extractor,
        rendered=document.rendered,
        rejection=rejection,
        thumbnail=screenshot and thumbnail(screenshot),
    )


def thumbnail(screenshot: bytes) -> bytes | None:
    """The top of a screenshot, small; None for what is no picture that can be read."""
    try:
        pixels = decode_top(screenshot, *_THUMBNAIL)
    except ScreenshotError:
        return None
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=60)
    return out.getvalue()
