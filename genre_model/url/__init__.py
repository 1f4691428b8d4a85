"""What a page's URL says of its page type."""

from __future__ import annotations

from genre_model.url.evidence import UrlEvidence

__all__ = ["UrlEvidence"]
