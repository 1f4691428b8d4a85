"""Pages that have no text, or only what stands there until their scripts have run."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from corpus_commons.empty_pages.page_text import PageText
from corpus_commons.empty_pages.phrases import phrases
from corpus_commons.empty_pages.verdict import Emptiness, Reason

# A shell has fewer characters than this, for example just "Loading".
_SHELL_CHARACTERS: Final = 100
# A shell with a notice to wait, or to enable scripts, has fewer than this.
_NOTICE_CHARACTERS: Final = 500
# A header or footer that says more, outside its links, was left open around the content.
_FURNITURE_CHARACTERS: Final = 1_000
# A few words are no content beside furniture with so many characters.
_SCRAP_CHARACTERS: Final = 40
_LEAST_FURNITURE: Final = 400
# Stems of what is to be done with JavaScript, or is wrong with it.
_WANTED: Final = (
    r"(?:\b|d[eé]s?|dis)(?:activ|aktiv|attiv|ativ)|enabl|disabl|habilit|requi|requer|turn|benötig"
    "|ingeschakeld|włącz|obsług|включ|отключ|启用|啟用|开启|打开|禁用|有効|無効"
)
_NOTICE: Final = re.compile(
    rf"(?:{_WANTED}).{{0,40}}java\s?script|java\s?script.{{0,40}}(?:{_WANTED})", re.I
)


def no_text(page: PageText) -> Emptiness | None:
    """A page without visible text, or with none but its header, navigation and footer."""
    if not _is_furniture(page):
        return None
    is_shell = page.has_scripts and not page.rendered
    if is_shell and _NOTICE.search(page.notice):
        return _javascript_required(page.notice)
    if not page.characters:
        return Emptiness(Reason.NO_TEXT, "no visible text", page.may_be_filled)
    if is_shell:
        return Emptiness(Reason.SHELL, "nothing between the header and the footer", True)
    furniture = "no text but a header, navigation or footer"
    return Emptiness(Reason.NO_TEXT, furniture, page.may_be_filled)


def shell(page: PageText) -> Emptiness | None:
    """A page that is filled by scripts, which have not run."""
    if page.rendered or not page.has_scripts or page.content_characters >= _NOTICE_CHARACTERS:
        return None
    if page.furniture_characters > _FURNITURE_CHARACTERS:
        return None
    if _NOTICE.search(page.text):
        return _javascript_required(page.text)
    if page.content_characters < _SHELL_CHARACTERS and not page.has_links:
        if _NOTICE.search(page.notice):
            return _javascript_required(page.notice)
        return Emptiness(Reason.SHELL, f"says only: {page.text}", True)
    is_waiting = phrases("waiting").are_in(page.normalised) or _is_loading(page)
    return Emptiness(Reason.SHELL, f"says: {page.text}"[:200], True) if is_waiting else None


def _is_furniture(page: PageText) -> bool:
    """Whether nothing stands between the page's header and its footer, or a few words do."""
    if not page.content_characters:
        return page.furniture_characters <= _FURNITURE_CHARACTERS
    return (
        page.content_characters <= _SCRAP_CHARACTERS
        and page.characters >= _LEAST_FURNITURE
        and page.furniture_characters <= _FURNITURE_CHARACTERS
    )


def _is_loading(page: PageText) -> bool:
    if phrases("loading").begin(page.normalised):
        return True
    texts = page.dom.texts
    shown = (texts[node].strip() for node in np.flatnonzero(page.content).tolist())
    return any(
        text.endswith(("...", "…")) and phrases("loading").are(text.rstrip(".… ")) for text in shown
    )


def _javascript_required(notice: str) -> Emptiness:
    return Emptiness(Reason.JAVASCRIPT_REQUIRED, f"says: {notice}"[:200], True)
