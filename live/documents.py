"""The newest documents of a worker, kept to be shown; all that pages say is only text here."""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from corpus_commons.markup.words import count_words
from crawler.items import Document, Page
from live.report import Newest

if TYPE_CHECKING:
    from pipelines.reading.second_look import SecondLook

MOST: Final = 30
LONGEST_TEXT: Final = 20_000
_LONGEST_TITLE: Final = 300
_LARGEST_SCREENSHOT: Final = 500_000
_MOST_BYTES: Final = 32_000_000
# Of pages that wait to be judged.
_MOST_SCREENSHOTS: Final = 20
# Commands for terminals, what turns the direction of the text around it, and what UTF-8 cannot
# encode.
_COMMANDS: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Kept:
    """A document with what is shown of it, which is made when somebody looks.

    screenshot: JPEG bytes; None if there is none, or a large one.
    look: at the HTML of its page; None if that is not at hand.
    """

    def __init__(
        self, document: Document, screenshot: bytes | None = None, look: SecondLook | None = None
    ) -> None:
        self._document = document
        self.screenshot = screenshot
        self.look = look

    @property
    def size(self) -> int:
        """Of what it holds in memory, about, in characters or bytes."""
        html = self.look.task.html.content if self.look is not None else ""
        return len(html) + len(self._document.text)

    @cached_property
    def shown(self) -> Newest:
        document = self._document
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

    @property
    def text(self) -> str:
        """At most LONGEST_TEXT characters of it, without commands."""
        return without_commands(self._document.text[:LONGEST_TEXT])

    @property
    def is_whole(self) -> bool:
        return len(self._document.text) <= LONGEST_TEXT


class NewestDocuments:
    """The last MOST documents of this run, with their screenshots and their pages' HTML.

    If pages are very large, they are fewer, so that these are some tens of megabytes at most.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._size = 0
        self._screenshots: OrderedDict[str, bytes] = OrderedDict()

    def read(self, page: Page) -> None:
        """Remember the screenshot of a page, in case it becomes a document."""
        if page.screenshot is None or len(page.screenshot) > _LARGEST_SCREENSHOT:
            return
        self._screenshots[page.id] = page.screenshot
        while len(self._screenshots) > _MOST_SCREENSHOTS:
            self._screenshots.popitem(last=False)

    def add(self, document: Document, look: SecondLook | None = None) -> None:
        """Called for every document of the crawl, so all that can wait for viewers does."""
        kept = Kept(document, self._screenshots.pop(document.id, None), look)
        if before := self._kept.pop(document.id, None):
            self._size -= before.size
        self._kept[document.id] = kept
        self._size += kept.size
        while len(self._kept) > MOST or (self._size > _MOST_BYTES and len(self._kept) > 1):
            self._size -= self._kept.popitem(last=False)[1].size

    def find(self, name: str) -> Kept | None:
        return self._kept.get(name)

    def newest(self, most: int = MOST) -> list[Newest]:
        """The newest comes first."""
        return [kept.shown for kept in islice(reversed(self._kept.values()), most)]


def without_commands(text: str) -> str:
    r"""Text of a page without commands; it may have several lines.

    >>> without_commands("a\n\x1b[31mred")
    'a\n\ufffd[31mred'
    """
    return _COMMANDS.sub("\ufffd", text)


def plain(text: str, most: int = _LONGEST_TITLE) -> str:
    r"""Text of a page in one line, without commands, and cut.

    >>> plain("a\n \x1b[31mred\u202e", 20)
    'a �[31mred�'
    >>> plain("a long title", 7)
    'a long…'
    """
    line = without_commands(" ".join(text[: 10 * most].split()))
    return line if len(line) <= most else line[: most - 1] + "…"
