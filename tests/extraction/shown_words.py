"""The words that readers of Markdown and HTML see."""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt

from corpus_commons.markup.tags import BLOCK_LEVEL

RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(sorted(BLOCK_LEVEL | {'br'}))})\b[^>]*>")
TAG = re.compile(r"</?[a-z][a-z0-9]*\b[^>]*>")


def words(markup: str) -> list[str]:
    """The words that a reader of the HTML sees."""
    return html.unescape(TAG.sub("", BLOCK_TAG.sub(" ", markup))).split()
