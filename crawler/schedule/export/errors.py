"""What another scheduler cannot be told."""

from __future__ import annotations


class ExportError(ValueError):
    """A job's schedule cannot be put that way; the message says what would be right."""
