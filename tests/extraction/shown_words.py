"""The words that readers of Markdown and HTML see."""

from __future__ import annotations

import html
import re

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from corpus_commons.markup.tags import BLOCK_LEVEL

# Formulas in dollar signs, as GitHub and Pandoc read them.
RENDERER = (
    MarkdownIt("commonmark")
    .enable(["table", "strikethrough"])
    .use(dollarmath_plugin, allow_labels=False, allow_space=False, double_inline=True)
)
BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(sorted(BLOCK_LEVEL | {'br'}))})\b[^>]*>")
TAG = re.compile(r"</?[a-z][a-z0-9]*\b[^>]*>")


def words(markup: str) -> list[str]:
    """The words that a reader of the HTML sees."""
    return html.unescape(TAG.sub("", BLOCK_TAG.sub(" ", markup))).split()
