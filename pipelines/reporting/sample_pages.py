"""A random sample of a run's documents and rejects, for the report.

Reservoir sampling: every page has the same chance to be in it, and memory is bounded
(J. S. Vitter: Random Sampling with a Reservoir. ACM TOMS 11(1), 1985, algorithm R).
"""

from __future__ import annotations

import io
import random
from dataclasses import dataclass, replace
from typing import Final

from PIL import Image

from corpus_commons.markup.beginnings import beginning
from crawler.items import Document
from crawler.outcomes import Judgement, Rejection, Unchanged
from genre_model.screenshot import ScreenshotError, decode_top

MOST: Final = 200
LONGEST_TEXT: Final = 3000
_THUMBNAIL: Final = (320, 480)


@dataclass(frozen=True, slots=True)
class SampledPage:
    """What the report shows of a page.

    document: its text is a ``beginning`` of LONGEST_TEXT characters at most. characters: length of
        the whole text.
    thumbnail: JPEG bytes, at most 320 pixels wide and 480 high.
    """

    document: Document
    characters: int
    rejection: Rejection | None
    thumbnail: bytes | None


class PageSample:
    """Separate samples of documents and rejects, at most ``most`` of each."""

    def __init__(self, most: int = MOST, rng: random.Random | None = None) -> None:
        self.documents: list[SampledPage] = []
        self.rejects: list[SampledPage] = []
        self._seen = {"documents": 0, "rejects": 0}
        # Of pages that are held: their screenshots will be gone when they are added.
        self._thumbnails: dict[str, bytes | None] = {}
        self._most = most
        self._rng = rng or random.Random(0)  # noqa: S311 - a sample, not a secret

    def hold(self, name: str, screenshot: bytes | None) -> None:
        """Keep the thumbnail of a page that will be added by its document's id, of some of them."""
        if screenshot is not None and len(self._thumbnails) < self._most:
            self._thumbnails[name] = thumbnail(screenshot)

    def add(self, document: Document, rejection: Judgement, screenshot: bytes | None) -> None:
        """Offer a page to the sample; it may replace another."""
        if isinstance(rejection, Unchanged):
            return
        kind = "documents" if rejection is None else "rejects"
        shown = self.documents if rejection is None else self.rejects
        self._seen[kind] += 1
        kept = self._thumbnails.pop(document.id, None)
        place = len(shown)
        if place >= self._most:
            place = self._rng.randrange(self._seen[kind])
            if place >= self._most:
                return
        page = _page(document, rejection, kept or (screenshot and thumbnail(screenshot)))
        shown[place : place + 1] = [page]


def _page(document: Document, rejection: Rejection | None, picture: bytes | None) -> SampledPage:
    shown = replace(document, text=beginning(document.text, LONGEST_TEXT), extra={})
    return SampledPage(shown, len(document.text), rejection, picture)


def thumbnail(screenshot: bytes) -> bytes | None:
    """The top of a screenshot, scaled down; None if it cannot be decoded."""
    try:
        pixels = decode_top(screenshot, *_THUMBNAIL)
    except ScreenshotError:
        return None
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=60)
    return out.getvalue()
