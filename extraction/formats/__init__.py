"""The output formats. A new one is a module and a line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from extraction.formats import html, markdown
from extraction.formats.content import Content
from extraction.page.blocks import join

if TYPE_CHECKING:
    from collections.abc import Callable

    from extraction.output import Format

_WRITERS: Final[dict[Format, Callable[[Content], str]]] = {
    "text": lambda content: join(content.blocks),
    "markdown": markdown.write,
    "html": html.write,
}

__all__ = ["Content", "write"]


def write(content: Content, form: Format) -> str:
    """Write the content in the given format."""
    return _WRITERS[form](content)
