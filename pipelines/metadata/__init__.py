"""A page's metadata: title, author, date, licence and site; and the language of its text."""

from __future__ import annotations

from pipelines.metadata.language import identify_language
from pipelines.metadata.page_metadata import PageMetadata, page_metadata

__all__ = ["PageMetadata", "identify_language", "page_metadata"]
