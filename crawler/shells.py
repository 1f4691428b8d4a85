"""Pages that came with status 200 and hold nothing: soft errors, and shells for scripts to fill."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from crawler.verdicts import EMPTY, SOFT_ERROR, Reject

_UNSEEN: Final = ["script", "style", "noscript", "template", "head"]
# A page of this many characters may say little; a shell says "Loading".
_SHELL_CHARACTERS: Final = 100
# Longer pages may be about errors, and are none.
_ERROR_WORDS: Final = 250
_ERROR: Final = re.compile(
    r"""\b404\b | \b(?:page|file|seite|site)\W+(?:\w+\W+){0,3}(?:not|nicht)\W+(?:be\W+)?(?:found|
    gefunden) | \bnot\W+found\b | \bno\W+longer\W+(?:exists|available)\b | introuvable
    | no\W+encontrad[ao] | не\W+найден[ао]? | nicht\W+gefunden
    | 页面不存在 | 找不到 | 見つかりません
    """,
    re.IGNORECASE | re.VERBOSE,
)


def emptiness(tree: LexborHTMLParser, *, scripts_ran: bool = False) -> Reject | None:
    """Why a page is none, read off its visible text; None if it is one. Changes the tree.

    scripts_ran: a browser made the page: what little it says is all that it says.
    """
    title = _text(tree, "title")
    heading = _text(tree, "h1")
    has_scripts = tree.css_first("script") is not None
    tree.strip_tags(_UNSEEN)
    body = tree.body
    text = body.text(separator=" ", strip=True) if body is not None else ""
    if not text:
        return Reject(EMPTY, "no visible text")
    if has_scripts and not scripts_ran and len(text) < _SHELL_CHARACTERS and not _links(tree):
        return Reject(EMPTY, "a shell that scripts fill; it needs a browser")
    if (_ERROR.search(title) or _ERROR.search(heading)) and len(text.split()) < _ERROR_WORDS:
        return Reject(SOFT_ERROR, (title or heading)[:200])
    return None


def _links(tree: LexborHTMLParser) -> bool:
    return tree.css_first("a[href]") is not None


def _text(tree: LexborHTMLParser, selector: str) -> str:
    node = tree.css_first(selector)
    return node.text(strip=True)[:300] if node is not None else ""
