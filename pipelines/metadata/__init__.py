"""What a page says of itself: title, author, date, licence, site; and the language of its text."""

from __future__ import annotations

from pipelines.metadata.language import identify_language
from pipelines.metadata.page_metadata import PageMetadata, page_metadata

__all__ = ["PageMetadata", "identify_language", "page_metadata"]
