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
from crawler.shells import emptiness
from crawler.verdicts import Reject
from markup import MarkupError
from settings.tables.politeness import Politeness


class ReaderError(RuntimeError):
    """No page can be read any more, and the crawl is being ended for it."""


@dataclass(frozen=True, slots=True)
class Look:
    """links: where the page leads. empty: why it is no page of the corpus; None if it may be."""

    links: Links = field(default_factory=Links)
    empty: Reject | None = None


@dataclass(frozen=True, slots=True)
class LookTask:
    """How to look at a page; goes to a worker process.

    nofollow, robots_header, agent: see ``links_of``.
    scripts_ran: a browser made the page.
    """

    nofollow: bool = True
    robots_header: tuple[str, ...] = ()
    agent: str = ""
    scripts_ran: bool = False

    @classmethod
    def of(cls, page: Page, politeness: Politeness) -> LookTask:
        return cls(
            nofollow=politeness.nofollow,
            robots_header=tuple(value for name, value in page.headers if name == "x-robots-tag"),
            agent=politeness.robots_agent(),
            scripts_ran=page.rendered_html is not None,
        )

    def look(self, tree: LexborHTMLParser, url: str) -> Look:
        """Look at the page at ``url``. Changes the tree."""
        links = links_of(
            tree,
            url,
            nofollow=self.nofollow,
            robots_header=self.robots_header,
            agent=self.agent,
        )
        return Look(links, emptiness(tree, scripts_ran=self.scripts_ran))


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
        try:
            if page.rendered_html is None:
                tree = tree_of(page.html, page.charset)
            else:
                tree = tree_of(page.rendered_html)
        except MarkupError as error:
            return ReadPage(page, Look(empty=Reject("unreadable", str(error))))
        return ReadPage(page, LookTask.of(page, self._politeness).look(tree, page.url))
