"""``[filters]``: which documents are kept."""

from __future__ import annotations

from itertools import count
from typing import Annotated, Literal

from pydantic import Field

from corpus_commons.kinds import Genre, PageType
from settings.values import Language, Many, Table


class Filters(Table):
    """Which documents are kept. All others become rejects, with the reason."""

    min_words: Annotated[int, Field(ge=0, le=1_000_000)] = 25
    """The fewest words that a document may have. An ideograph or a kana counts as one word, and so
    do four characters of Thai, Lao, Tibetan, Burmese or Khmer."""
    languages: Many[Language] = ()
    """Languages that are kept, as ISO 639-1 codes, or codes of three letters, such as `yue`, where
    that has none; if empty, all are kept. Servers are asked for these languages, the first one
    preferred (`Accept-Language`)."""
    genres: Many[Genre] = ()
    """Genres that are kept; if empty, all are, and pages of unsure genre too."""
    page_types: Many[PageType] = ()
    """Page types that are kept; if empty, all are, and pages of unsure type too."""
    duplicates: Literal["drop", "keep"] = "drop"
    """What happens to a document whose text the same worker has kept before."""

    def accept_language(self) -> str | None:
        """The Accept-Language header: the languages that are kept, the first one preferred; None if
        all are kept.

        >>> Filters(languages=["de", "en"]).accept_language()
        'de, en;q=0.9'
        """
        return ", ".join(map(_preferred, count(), self.languages)) or None


def _preferred(place: int, language: str) -> str:
    """A language with its weight, which decreases from 1 to 0.1."""
    return f"{language};q=0.{max(10 - place, 1)}" if place else language
