"""``[recrawl]``: when known pages are visited again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal

from pydantic import Field

from settings.quantities import duration_text
from settings.values import Finding, Seconds, Table

_LONGEST: Final = 365 * 86_400

Interval = Annotated[Seconds, Field(ge=1, le=_LONGEST)]


class _Intervals(Table):
    """Intervals by page type; ``default`` is for pages without one of their own."""

    default: Interval
    feed: Interval | None = None
    """For feeds, which list what is new."""
    sitemap: Interval | None = None
    """For sitemaps, and for robots.txt, which names them."""
    listing: Interval | None = None
    """For blog fronts, archives and search results."""
    collection: Interval | None = None
    """For shops and catalogues."""
    article: Interval | None = None
    """For news, blog posts and essays."""
    documentation: Interval | None = None
    """For manuals, references and tutorials."""
    product: Interval | None = None
    """For one thing for sale."""
    service: Interval | None = None
    """For home and landing pages."""
    forum: Interval | None = None
    """For threads, lists of threads, questions and answers."""
    media: Interval | None = None
    """For galleries and video pages."""
    other: Interval | None = None
    """For contact pages, legal notices, forms and errors."""

    def of(self, page_type: str) -> float:
        """The interval of a page type, or of a kind of list, in seconds."""
        found: float | None = getattr(self, page_type, None)
        return self.default if found is None else found


class Least(_Intervals):
    """No page is visited again sooner."""

    default: Interval = 3_600.0
    """For all pages without an interval of their own, and for every page of which a sitemap or feed
    says that it has changed."""
    feed: Interval | None = 600.0
    """For feeds, which list what is new."""
    listing: Interval | None = 600.0
    """For blog fronts, archives and search results."""


class Greatest(_Intervals):
    """Every page is visited again by then, however seldom it changes."""

    default: Interval = 30 * 86_400.0
    """For all pages without an interval of their own."""
    feed: Interval | None = 7 * 86_400.0
    """For feeds, which list what is new."""


class Recrawl(Table):
    """When known pages are visited again; without a `policy`, they never are."""

    policy: Literal["never", "fixed", "adaptive"] = "never"
    """`"fixed"` visits every page at `interval`. `"adaptive"` makes as many visits of a host, but
    learns which pages change how often, and gives the visits to those that they keep up to date."""
    interval: Interval = 7 * 86_400.0
    """How often a page is visited again; of `"adaptive"`, on average over the pages of a host. It
    is between `least.default` and `greatest.default`; those of a page type bound it, too."""
    budget: Annotated[float, Field(gt=0, le=1)] = 0.5
    """The share of a host's visits that known pages get while new ones wait, too."""
    hints: bool = True
    """Visit a page early if a sitemap or feed says that it has changed; of hosts where that has
    proved right, all such pages, otherwise a few to see."""
    least: Least = Least()
    greatest: Greatest = Greatest()

    def contradictions(self) -> Iterator[Finding]:
        least, greatest = self.least, self.greatest
        if "interval" in self.model_fields_set:
            yield from self._out_of_bounds()
        for name in _Intervals.model_fields:
            # What is set for neither has the defaults of both, which are compared once.
            is_set = getattr(least, name) is not None or getattr(greatest, name) is not None
            if is_set and least.of(name) > greatest.of(name):
                yield (
                    ("least", name),
                    f"is {duration_text(least.of(name))}, which is longer than the "
                    f"{duration_text(greatest.of(name))} of recrawl.greatest",
                )
        if self.model_fields_set and "policy" not in self.model_fields_set:
            yield (), 'has no policy, so no page is visited again; add policy = "adaptive"'

    def _out_of_bounds(self) -> Iterator[Finding]:
        interval, least, greatest = self.interval, self.least.default, self.greatest.default
        if interval < least:
            bound = f"shorter than the {duration_text(least)} of recrawl.least.default; lower"
        elif interval > greatest:
            bound = f"longer than the {duration_text(greatest)} of recrawl.greatest.default; raise"
        else:
            return
        yield ("interval",), f"is {duration_text(interval)}, which is {bound} that, too"
