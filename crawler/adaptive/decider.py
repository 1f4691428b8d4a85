"""Decides whether pages are rendered, learns from those that were, and counts both by host."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from corpus_commons.markup.words import count_words
from crawler.adaptive.budget import PRICE, Budget
from crawler.adaptive.gain import gain
from crawler.adaptive.gain_memory import GainMemory, Place
from crawler.adaptive.host_table import HostRendering, HostTable
from crawler.adaptive.path_template import path_template
from crawler.adaptive.prospects import Kind
from crawler.discovery.page_scan import ScannedPage
from crawler.discovery.signs import is_poor
from crawler.recrawl.revisits import history_of
from crawler.urls import host_key
from settings.tables.limits import Limits
from settings.tables.rendering import Rendering

CHANGED: Final = 0.1
"""A page whose gain is at least this counts as changed by rendering."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a page is rendered. reason: for people, one of few. place: of the page.

    expected: the gain that was expected.
    """

    renders: bool
    reason: str
    place: Place
    expected: float = 0.0

    @property
    def needs_browser(self) -> bool:
        """Whether the page says less, or nothing, without one; of other pages that is not known."""
        return self.place.needs_browser or (self.place.last or 0.0) >= PRICE

    @property
    def loses_text(self) -> bool:
        """Whether only the budget keeps a page from the browser that it needs."""
        return not self.renders and self.needs_browser and self.expected >= PRICE


class Outcome(NamedTuple):
    """What rendering brought to a page. gain: see ``crawler.adaptive.gain``.

    seconds: that the browser took.
    """

    gain: float
    seconds: float


class Decider(Protocol):
    """Decides for the spider, which uses ``Crawl.decider``. After a decision to render, ``learn``
    is called once.
    """

    def decide(self, static: ScannedPage, left: int) -> Decision:
        """Whether to render a page. left: how many pages are known to come, with it."""
        ...

    def learn(self, decision: Decision, outcome: Outcome | None) -> None:
        """outcome: None if the page could not be rendered."""
        ...

    def hosts(self) -> Sequence[HostRendering]:
        """The hosts with the most rendered pages."""
        ...


class GainDecider:
    """Renders the pages whose expected gain is worth the price; the rule of the product."""

    def __init__(self, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._memory = GainMemory()
        self._hosts = HostTable()

    @classmethod
    def of(cls, table: Rendering, limits: Limits) -> GainDecider:
        return cls(Budget(table.budget_pages, table.budget_time, limits.pages))

    def decide(self, static: ScannedPage, left: int) -> Decision:
        decision = self._decision(static, left)
        self._hosts.add_page(decision.place.host)
        if decision.renders:
            self._memory.begin(decision.place)
            self._budget.begin()
        elif decision.expected < PRICE:
            self._memory.pass_over(decision.place, decision.expected)
        _log.debug(
            "%s %s: %s, expected gain %.3f",
            "rendering" if decision.renders else "not rendering",
            static.page.url,
            decision.reason,
            decision.expected,
        )
        return decision

    def learn(self, decision: Decision, outcome: Outcome | None) -> None:
        self._memory.end(decision.place, outcome.gain if outcome else None)
        self._hosts.add_rendered(
            decision.place.host, changed=outcome is not None and outcome.gain >= CHANGED
        )
        if outcome is not None:
            self._budget.spend(outcome.seconds)

    def hosts(self) -> Sequence[HostRendering]:
        return self._hosts.most_rendered()

    def _decision(self, static: ScannedPage, left: int) -> Decision:
        kind = kind_of(static)
        place = place_of(static, kind)
        if not kind.may_gain:
            return Decision(False, str(kind), place)
        self._memory.recall(place)
        expected, debt = self._memory.expected(place), self._memory.debt(place)
        price = self._budget.price(expected, left, needs_browser=kind.needs_browser)
        if price is None:
            return Decision(False, f"{kind}, budget used up", place, expected)
        if expected >= price:
            return Decision(True, str(kind), place, expected)
        if expected + debt >= price:
            return Decision(True, f"{kind}, explored", place, expected)
        is_short = expected >= PRICE
        return Decision(False, f"{kind}, over budget" if is_short else str(kind), place, expected)


def kind_of(static: ScannedPage) -> Kind:
    """The kind of a page that was read as it was served."""
    found = static.main_text
    return Kind(static.scan.sign, is_poor(count_words(found.text), found.confidence))


def place_of(static: ScannedPage, kind: Kind) -> Place:
    page = static.page
    history = history_of(page.lease.history)
    return Place(
        str(kind),
        kind.expected,
        host_key(page.url),
        path_template(page.url),
        kind.needs_browser,
        history.gain if history else None,
    )


def outcome_of(static: ScannedPage, rendered: ScannedPage, *, moved: bool) -> Outcome | None:
    """What rendering brought to a page; None if it was stopped, and the page kept as it was served.

    moved: whether a script led elsewhere, which no static page does.
    """
    if rendered.page.rendered_html is None:
        return None
    timings = rendered.page.timings
    brought = 1.0 if moved else gain(static.main_text.text, rendered.main_text.text)
    return Outcome(brought, timings.render + timings.screenshot)
