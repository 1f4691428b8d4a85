"""The scan of a page: what the crawl itself needs to know of it, its links and whether it is empty.

It is made by whoever parses the page: the pipelines' worker processes, which read the content from
the same tree, or without them ``LocalReader``, in the crawler's process.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol, Self

from corpus_commons.empty_pages import Emptiness, PageText, Reason, judge
from corpus_commons.markup import Dom, MarkupError, parse
from corpus_commons.markup.encoding import UTF_8, encoding_of
from corpus_commons.markup.outline import Outline
from crawler.consent.page_signals import HEADERS, PageSignals
from crawler.consent.trainers import trainers_for
from crawler.discovery.links import Links, links_of
from crawler.discovery.signs import Sign, sign_of
from crawler.html import Html
from crawler.items import Page
from crawler.outcomes import (
    CAPTCHA,
    CONSENT_WALL,
    EMPTY,
    LOGIN_WALL,
    PARKED,
    SOFT_ERROR,
    UNREADABLE,
    Rejection,
)
from settings.job import Job

LABELS: Final = {
    Reason.NO_TEXT: EMPTY,
    Reason.SHELL: EMPTY,
    Reason.JAVASCRIPT_REQUIRED: EMPTY,
    Reason.NO_CONTENT: EMPTY,
    Reason.CHALLENGE: CAPTCHA,
    Reason.CONSENT_WALL: CONSENT_WALL,
    Reason.LOGIN_WALL: LOGIN_WALL,
    Reason.SOFT_ERROR: SOFT_ERROR,
    Reason.PARKED: PARKED,
}
"""The reasons for rejecting pages without content."""


class ReaderError(RuntimeError):
    """No more pages can be read, so the crawl is being stopped."""


@dataclass(frozen=True, slots=True)
class PageScan:
    """What the crawl needs to know of a page.

    links: the page's links.
    empty: why the page is rejected, because it is empty or unreadable; None otherwise.
    needs_browser: whether it is empty, but may not be after a browser has run its scripts.
    characters: of the text, also of what may be hidden.
    signals: what the page and its response say about its use.
    sign: what its markup promises of scripts, if the rules ask for it.
    """

    links: Links = field(default_factory=Links)
    empty: Rejection | None = None
    needs_browser: bool = False
    characters: int = 0
    signals: PageSignals = field(default_factory=PageSignals)
    sign: Sign = Sign.NO_SCRIPTS


@dataclass(frozen=True, slots=True)
class ScanRules:
    """How the pages of a job are scanned.

    nofollow: whether to obey it, in links, pages and headers.
    agent, trainers: see ``PageSignals.of``.
    looks_for_signs: whether it is to be decided from the scan if a page is rendered.
    """

    nofollow: bool = True
    agent: str = ""
    trainers: tuple[str, ...] = ()
    looks_for_signs: bool = False

    @classmethod
    def of(cls, job: Job) -> Self:
        return cls(
            nofollow=job.politeness.nofollow,
            agent=job.politeness.robots_agent(),
            trainers=trainers_for(job.consent),
            looks_for_signs=job.rendering.mode == "adaptive",
        )

    def task(self, page: Page, served: PageSignals | None) -> ScanTask:
        """How to scan a page as it was rendered, or else as it was served; see ``Reader``."""
        scripts_ran = page.rendered_html is not None
        return ScanTask(
            self,
            headers=tuple(pair for pair in page.headers if pair[0] in HEADERS),
            refresh_header=next((value for name, value in page.headers if name == "refresh"), ""),
            scripts_ran=scripts_ran,
            served=page.served_html if scripts_ran and served is None else served,
            encoding=encoding_of(page.html, page.charset) if scripts_ran else None,
        )


@dataclass(frozen=True, slots=True)
class ScanTask:
    """How to scan a page; part of the task for a worker process.

    headers: see ``PageSignals.of``. refresh_header: see ``links_of``.
    scripts_ran: whether the page was rendered.
    served: what the page said about its use as it was served, if it was rendered, or the page that
        may say something: that counts, too.
    encoding: of the page as served, if it was rendered; otherwise None.
    follows: whether the page's links are wanted, and whether it is empty.
    """

    rules: ScanRules = ScanRules()
    headers: tuple[tuple[str, str], ...] = ()
    refresh_header: str = ""
    scripts_ran: bool = False
    served: PageSignals | Html | None = None
    encoding: str | None = None
    follows: bool = True

    def scan(self, dom: Dom, url: str, encoding: str = UTF_8) -> PageScan:
        """Scan the page at ``url``. encoding: see ``links_of``.

        Raises MarkupError if what was served cannot be parsed.
        """
        rules = self.rules
        signals = self._signals(dom, url)
        if self.served is not None:
            signals = signals.also(self._said(self.served, url))
        if not self.follows:
            return PageScan(signals=signals)
        links = links_of(
            dom,
            url,
            encoding=self.encoding or encoding,
            nofollow=rules.nofollow,
            silent=rules.nofollow and signals.nofollow,
            refresh_header=self.refresh_header,
        )
        text = PageText(dom, rendered=self.scripts_ran)
        empty = judge(text)
        looks = rules.looks_for_signs and not self.scripts_ran
        sign = sign_of(text, empty) if looks else Sign.NO_SCRIPTS
        if empty is None:
            return PageScan(links, characters=text.characters, signals=signals, sign=sign)
        why, helps = rejection_of(empty), empty.rendering_helps
        return PageScan(links, why, helps, text.characters, signals, sign)

    def _said(self, served: PageSignals | Html, url: str) -> PageSignals:
        if isinstance(served, PageSignals):
            return served
        return self._signals(Outline(served.decoded().text), url)

    def _signals(self, page: Dom | Outline, url: str) -> PageSignals:
        agent, trainers = self.rules.agent, self.rules.trainers
        return PageSignals.of(page, url, self.headers, agent=agent, trainers=trainers)


def rejection_of(empty: Emptiness) -> Rejection:
    """The rejection of a page without content."""
    hope = "; a browser may fill it" if empty.rendering_helps else ""
    return Rejection(LABELS[empty.reason], f"{empty.reason}: {empty.detail}{hope}")


@dataclass(frozen=True, slots=True)
class MainText:
    """The main text of a page, as far as its reader tells.

    confidence: the extractor's own estimate of its quality, in [0, 1]; None if it has none.
    """

    text: str = ""
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """A page and its scan; ``page.reading`` holds what the pipelines need."""

    page: Page
    scan: PageScan
    main_text: MainText = MainText()


class Reader(Protocol):
    """Reads pages for the spider, which uses ``Crawl.reader``."""

    async def read(self, page: Page, served: PageSignals | None = None) -> ScannedPage:
        """Scan a page; if it cannot be read, ``PageScan.empty`` says why.

        served: what a rendered page said about its use as it was served, if that was read before.

        Raises ReaderError if no more pages can be read.
        """
        ...


class LocalReader:
    """Scans pages in this process."""

    def __init__(self, rules: ScanRules) -> None:
        self._rules = rules

    async def read(self, page: Page, served: PageSignals | None = None) -> ScannedPage:
        text, encoding = page.best_html.decoded()
        try:
            dom = parse(text)
            scan = self._rules.task(page, served).scan(dom, page.url, encoding)
        except MarkupError as error:
            return ScannedPage(page, PageScan(empty=Rejection(UNREADABLE, str(error))))
        shown = " ".join(text for text, seen in zip(dom.texts, dom.visible, strict=True) if seen)
        return ScannedPage(page, scan, MainText(shown))
