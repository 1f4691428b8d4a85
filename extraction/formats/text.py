"""Main content as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from extraction.blocks import join

if TYPE_CHECKING:
    from extraction.formats.content import Content


def write(content: Content) -> str:
    """Items and rows on consecutive lines, the rest as paragraphs; see ``blocks.join``."""
    return join(content.blocks)
