"""What the crawl must know of a page before it leaves: where it leads, and whether it is one.

Whoever parses the page looks: the pipelines' worker processes, which read everything else from the
same tree, or where there are none ``LocalReader``, in the crawler itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from selectolax.lexbor import LexborHTMLParser

from crawler.items import Page
from crawler.links import Links, links_of, tree_of
from crawler.shells import visible
from crawler.verdicts import UNREADABLE, Rejection
from markup import MarkupError
from markup.encoding import UTF_8, decoded, encoding_of
from markup.xhtml import with_end_tags
from settings.tables.politeness import Politeness


class ReaderError(RuntimeError):
    """No page can be read any more, and the crawl is being ended for it."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a page.

    links: where it leads.
    empty: why it is no page of the corpus; None if it may be.
    characters: of visible text, but white space.
    """

    links: Links = field(default_factory=Links)
    empty: Rejection | None = None
    characters: int = 0


@dataclass(frozen=True, slots=True)
class LookTask:
    """How to look at a page; goes to a worker process.

    nofollow, robots_header, agent, refresh_header: see ``links_of``.
    scripts_ran: a browser made the page.
    encoding: of the page as it was served, where a browser made it anew; otherwise None.
    """

    nofollow: bool = True
    robots_header: tuple[str, ...] = ()
    agent: str = ""
    refresh_header: str = ""
    scripts_ran: bool = False
    encoding: str | None = None

    @classmethod
    def of(cls, page: Page, politeness: Politeness) -> LookTask:
        scripts_ran = page.rendered_html is not None
        return cls(
            nofollow=politeness.nofollow,
            robots_header=tuple(value for name, value in page.headers if name == "x-robots-tag"),
            agent=politeness.robots_agent(),
            refresh_header=next((value for name, value in page.headers if name == "refresh"), ""),
            scripts_ran=scripts_ran,
            encoding=encoding_of(page.html, page.charset) if scripts_ran else None,
        )

    def look(self, tree: LexborHTMLParser, url: str, encoding: str = UTF_8) -> Look:
        """Look at the page at ``url``. Changes the tree. encoding: see ``links_of``."""
        links = links_of(
            tree,
            url,
            encoding=self.encoding or encoding,
            nofollow=self.nofollow,
            robots_header=self.robots_header,
            agent=self.agent,
            refresh_header=self.refresh_header,
        )
        seen = visible(tree, scripts_ran=self.scripts_ran)
        return Look(links, seen.empty, seen.characters)


@dataclass(frozen=True, slots=True)
class ReadPage:
    """A page with what was seen in it; in ``page.reading`` is what the pipelines go on with."""

    page: Page
    look: Look


class Reader(Protocol):
    """Reads pages. Implement it where pages are parsed, and put it into ``Crawl.reader``."""

    async def read(self, page: Page) -> ReadPage:
        """Look at a page; one that cannot be read is none, for a reason.

        Raises ReaderError if no page can be read any more.
        """
        ...


class LocalReader:
    """Looks at pages in this process."""

    def __init__(self, politeness: Politeness) -> None:
        self._politeness = politeness

    async def read(self, page: Page) -> ReadPage:
        html = page.html if page.rendered_html is None else page.rendered_html
        if page.is_xhtml and isinstance(html, bytes):
            html = with_end_tags(html)
        text, encoding = decoded(html, page.charset)
        try:
            tree = tree_of(text)
        except MarkupError as error:
            return ReadPage(page, Look(empty=Rejection(UNREADABLE, str(error))))
        return ReadPage(page, LookTask.of(page, self._politeness).look(tree, page.url, encoding))
