"""``[rendering]``: when a browser renders a page, and what that may cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from settings.values import Bytes, CountLimit, Finding, Seconds, SecondsLimit, Table


class Rendering(Table):
    """When a browser renders a page, and what that may cost.

    A job without this table renders nothing.
    """

    mode: Literal["adaptive", "always", "auto", "never"] = "adaptive"
    """`adaptive` renders the pages to which that probably adds text, by what their HTML promises
    and what rendering has added to their site so far. `always` renders every page in a browser, and
    looks at the screenshot where the HTML leaves the genre in doubt. `auto` renders the pages that
    are empty without a browser. `never` renders nothing, which is more than ten times as
    fast, and takes the genre from the HTML."""
    budget_pages: CountLimit = None
    """How many pages each worker may render in a run, with `adaptive`. If that is too few, the
    pages to which rendering probably adds most are rendered, and those that hold nothing without
    it wait for `genre-crawler frontier retry --reason render-budget`."""
    budget_time: SecondsLimit = None
    """The same as time that the browser takes, summed over the pages that it renders at once."""
    timeout: Annotated[Seconds, Field(ge=1, le=600)] = 20.0
    """Wall-clock time for one page: loading, settling, screenshot and content together."""
    settle: Annotated[Seconds, Field(ge=0, le=60)] = 1.0
    """How long a loaded page may go on changing, or say little, before it is taken as it is; part
    of `timeout`."""
    scroll: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """How far down a settled page is scrolled before it is read, in CSS pixels, for what it brings
    only when that comes into view, such as the rest of a long list; 0 scrolls nothing. A page that
    grows meanwhile is scrolled on, within `timeout`."""
    screenshot_height: Annotated[int, Field(ge=256, le=16_384)] = 3840
    """Height of a screenshot from the top of the page, in CSS pixels; its width is 1280."""
    concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    """How many pages one worker renders at once."""
    content_size: Annotated[Bytes, Field(ge=1_000, le=10**9)] = 20_000_000
    """The largest HTML that is taken from a rendered page; larger ones are rejected."""
    pages_per_context: Annotated[int, Field(ge=1, le=100_000)] = 100
    """Pages after which a browser context is closed and its memory freed."""
    pages_per_browser: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    """Pages after which the browser is restarted."""

    def contradictions(self) -> Iterator[Finding]:
        for name in ("budget_pages", "budget_time"):
            if getattr(self, name) is not None and self.mode != "adaptive":
                yield (
                    (name,),
                    f'is set, but rendering.mode is "{self.mode}"; a budget needs "adaptive"',
                )
        if self.settle >= self.timeout:
            yield (
                ("settle",),
                f"is {self.settle:g} s; it must be shorter than rendering.timeout, "
                f"which is {self.timeout:g} s",
            )
