"""What is said of a page that cannot be read."""

from __future__ import annotations


class MarkupError(ValueError):
    """The page is beyond reading: too large, or made to hurt the tree builder."""
