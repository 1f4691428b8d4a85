"""The newest documents of a worker, kept to be shown; all that pages say is only text here."""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Final, NamedTuple

from corpus_commons.markup.words import count_words
from crawler.items import Document, Page
from live.report import Newest

MOST: Final = 30
LONGEST_TEXT: Final = 20_000
_LONGEST_TITLE: Final = 300
_LARGEST_SCREENSHOT: Final = 500_000
# Of pages that wait to be judged.
_MOST_SCREENSHOTS: Final = 20
# Commands for terminals, and what turns the direction of the text around it.
_COMMANDS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


class Kept(NamedTuple):
    """A document with what is shown of it. text: at most LONGEST_TEXT characters of it.

    screenshot: JPEG bytes; None if there is none, or a large one.
    """

    shown: Newest
    text: str
    is_whole: bool
    screenshot: bytes | None


class NewestDocuments:
    """The last MOST documents of this run, with their screenshots; a few megabytes at most."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._screenshots: OrderedDict[str, bytes] = OrderedDict()

    def read(self, page: Page) -> None:
        """Remember the screenshot of a page, in case it becomes a document."""
        if page.screenshot is None or len(page.screenshot) > _LARGEST_SCREENSHOT:
            return
        self._screenshots[page.id] = page.screenshot
        while len(self._screenshots) > _MOST_SCREENSHOTS:
            self._screenshots.popitem(last=False)

    def add(self, document: Document) -> None:
        text = document.text
        screenshot = self._screenshots.pop(document.id, None)
        begin = _COMMANDS.sub("\ufffd", text[:LONGEST_TEXT])
        kept = Kept(_shown(document), begin, len(text) <= LONGEST_TEXT, screenshot)
        self._kept.pop(document.id, None)
        self._kept[document.id] = kept
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def find(self, name: str) -> Kept | None:
        return self._kept.get(name)

    def newest(self) -> list[Newest]:
        """The newest comes first."""
        return [kept.shown for kept in reversed(self._kept.values())]


def plain(text: str, most: int = _LONGEST_TITLE) -> str:
    r"""Text of a page in one line, without commands, and cut.

    >>> plain("a\n \x1b[31mred\u202e", 20)
    'a �[31mred�'
    >>> plain("a long title", 7)
    'a long…'
    """
    line = _COMMANDS.sub("\ufffd", " ".join(text[: 10 * most].split()))
    return line if len(line) <= most else line[: most - 1] + "…"


def _shown(document: Document) -> Newest:
    return Newest(
        id=document.id,
        url=plain(document.url),
        title=plain(document.title or ""),
        at=document.fetched_at.timestamp(),
        genre=document.genre,
        page_type=document.page_type,
        language=document.language,
        words=count_words(document.text),
        confidence=document.extractor_confidence,
        rendered=document.rendered,
    )
