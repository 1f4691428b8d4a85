"""``[filters]``: which documents are kept."""

from __future__ import annotations

from itertools import count
from typing import Annotated, Literal

from pydantic import Field

from settings.values import Language, Many, Table
from settings.vocabulary import Genre, PageType


class Filters(Table):
    """Which documents are kept. All others are rejects, with the reason."""

    min_words: Annotated[int, Field(ge=0, le=1_000_000)] = 50
    """Fewest words of a document; an ideograph or a kana counts as one, as do four characters of
    Thai, Lao, Tibetan, Burmese or Khmer."""
    languages: Many[Language] = ()
    """Languages that are kept, as ISO 639-1 codes (of three letters where that has none, such as
    `yue`); if there are none, all are. Servers are asked for them, the first one best
    (`Accept-Language`)."""
    genres: Many[Genre] = ()
    """Genres that are kept; if there are none, all are, and pages of unsure genre too."""
    page_types: Many[PageType] = ()
    """Page types that are kept; likewise."""
    duplicates: Literal["drop", "keep"] = "drop"
    """What becomes of a document whose text the same worker has kept before."""

    def accept_language(self) -> str | None:
        """The Accept-Language header: the languages that are kept, the first one best; None if all
        are.

        >>> Filters(languages=["de", "en"]).accept_language()
        'de, en;q=0.9'
        """
        return ", ".join(map(_preferred, count(), self.languages)) or None


def _preferred(place: int, language: str) -> str:
    """A language and its weight, which falls from 1 to 0.1."""
    return f"{language};q=0.{max(10 - place, 1)}" if place else language
