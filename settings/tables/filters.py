"""``[filters]``: which documents are kept."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from settings.values import Language, Many, Table
from settings.vocabulary import Genre, PageType


class Filters(Table):
    """Which documents are kept. All others are rejects, with the reason."""

    min_words: Annotated[int, Field(ge=0, le=1_000_000)] = 50
    """Fewest words of a document; an ideograph or a kana counts as one."""
    languages: Many[Language] = ()
    """Languages that are kept, as ISO 639-1 codes (of three letters where that has none, such as
    `yue`); if there are none, all are."""
    genres: Many[Genre] = ()
    """Genres that are kept; if there are none, all are, and pages of unsure genre too."""
    page_types: Many[PageType] = ()
    """Page types that are kept; likewise."""
    duplicates: Literal["drop", "keep"] = "drop"
    """What becomes of a document whose text was seen before in this job."""
