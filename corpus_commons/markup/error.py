"""The error for pages that cannot be parsed."""

from __future__ import annotations


class MarkupError(ValueError):
    """The page cannot be parsed: it is too large, or made to overload the tree builder."""
