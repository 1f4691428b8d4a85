"""Recognises pages without content despite a status of 200: soft errors, and shells for scripts."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from corpus_commons.markup.words import count_words
from crawler.outcomes import EMPTY, SOFT_ERROR, Rejection

_UNSEEN: Final = ["script", "style", "template", "head"]
# Page furniture, which shells have too.
_FURNITURE: Final = ["header", "nav", "footer"]
# A shell has fewer characters than this, for example just "Loading".
_SHELL_CHARACTERS: Final = 100
# A shell with a notice to wait, or to enable scripts, has fewer than this.
_NOTICE_CHARACTERS: Final = 500
_WANTED: Final = "activ|aktiv|attiv|enabl|disabl|habilit|requi|turn|włącz|включ|启用|啟用|有効"
_NOTICE: Final = re.compile(
    rf"""\A\W*loading\b | \bloading\s*(?:\.\.\.|…) | \bplease\W+wait\b
    | (?:{_WANTED}).{{0,40}}java\s?script | java\s?script.{{0,40}}(?:{_WANTED})
    """,
    re.IGNORECASE | re.VERBOSE,
)
# Longer pages may be about errors, but are not error pages.
_ERROR_WORDS: Final = 250
# Words next to a 404 that show that it is the status.
_ERRING: Final = (
    r"\berr(?:or|eur) | fehler | \bhttp | \bstatus | \bcode | \bpage | seite | ошибка | błąd"
    r" | \bfout | \bfel | \bhata | 错误 | 錯誤 | エラー"
)
_ERROR: Final = re.compile(
    rf"""(?:\A|[|–—·•:»(\[!]|\s-)\s*404\s*(?:[|–—·•:»)\].!,]|-\s|\Z)
    | (?:{_ERRING})\W*404(?!\d) | (?<!\d)404\W*(?:{_ERRING})
    | \b(?:page|file|seite|site)\W+(?:\w+\W+){{0,3}}(?:not|nicht)\W+(?:be\W+)?(?:found|gefunden)
    | \bnot\W+found\b | \bno\W+longer\W+(?:exists|available)\b | introuvable
    | no\W+encontrad[ao] | не\W+найден[ао]? | nicht\W+gefunden
    | 页面不存在 | 找不到 | 見つかりません
    """,
    re.IGNORECASE | re.VERBOSE,
)


class Visible(NamedTuple):
    """characters: of visible text, without white space. empty: the rejection of an empty page."""

    characters: int
    empty: Rejection | None = None


def visible(tree: LexborHTMLParser, *, scripts_ran: bool = False) -> Visible:
    """The visible text of a page. Modifies the tree.

    scripts_ran: whether the page was rendered, so that it cannot be a shell.
    """
    title = _text(tree, "title")
    heading = _text(tree, "h1")
    has_scripts = tree.css_first("script") is not None
    tree.strip_tags(_UNSEEN)
    # A long <noscript> is the content itself, as in forum software.
    is_said_anyway = not scripts_ran and _length(tree.css("noscript")) > _NOTICE_CHARACTERS
    tree.strip_tags(["noscript"])
    words = _words(tree)
    empty = None
    if not words and not is_said_anyway:
        empty = Rejection(EMPTY, "no visible text")
    elif has_scripts and not scripts_ran and not is_said_anyway and _is_shell(tree):
        empty = Rejection(EMPTY, "a shell filled by scripts, needs a browser")
    elif (_ERROR.search(title) or _ERROR.search(heading)) and _is_short(words):
        empty = Rejection(SOFT_ERROR, (title or heading)[:200])
    return Visible(sum(map(len, words)), empty)


def _is_short(words: list[str]) -> bool:
    """Whether it is short, counting words of any script."""
    return count_words(" ".join(words)) < _ERROR_WORDS


def _is_shell(tree: LexborHTMLParser) -> bool:
    """Whether there is nothing, or only a notice, between a page's header and its footer."""
    tree.strip_tags(_FURNITURE)
    # This many words have at least as many characters, so the rest need not be split.
    content = " ".join(_words(tree, _NOTICE_CHARACTERS))
    if len(content) < _SHELL_CHARACTERS and tree.css_first("a[href]") is None:
        return True
    return len(content) < _NOTICE_CHARACTERS and _NOTICE.search(content) is not None


def _words(tree: LexborHTMLParser, most: int = -1) -> list[str]:
    """The words of the text; after ``most`` words the rest counts as one."""
    return tree.body.text(separator=" ").split(maxsplit=most) if tree.body is not None else []


def _length(nodes: list[LexborNode]) -> int:
    """Characters of their text, without white space."""
    return sum(len(word) for node in nodes for word in node.text().split())


def _text(tree: LexborHTMLParser, selector: str) -> str:
    node = tree.css_first(selector)
    return node.text(strip=True)[:300] if node is not None else ""
