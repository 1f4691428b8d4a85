"""``[rendering]``: when a browser draws the page, and what that may cost."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from settings.values import Bytes, Seconds, Table


class Rendering(Table):
    """When a browser draws a page, and what that may cost."""

    mode: Literal["always", "auto", "never"] = "never"
    """`never` fetches HTML alone, a hundred times cheaper, and takes the genre from it. `always`
    draws every page in a browser, and takes the genre from the screenshot as well. `auto` draws
    those that need it."""
    timeout: Annotated[Seconds, Field(ge=1, le=600)] = 20.0
    """Wall clock for one page: loading, settling, screenshot and content together."""
    settle: Annotated[Seconds, Field(ge=0, le=60)] = 1.0
    """How long a loaded page may go on changing before it is taken as it is; part of `timeout`."""
    screenshot_height: Annotated[int, Field(ge=256, le=16_384)] = 3840
    """CSS pixels from the top of the page that a screenshot shows; it is 1280 wide."""
    concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    """Pages that one worker draws at once."""
    content_size: Annotated[Bytes, Field(ge=1_000, le=10**9)] = 20_000_000
    """The largest HTML that is taken from a drawn page; a larger one is a reject."""
    pages_per_context: Annotated[int, Field(ge=1, le=100_000)] = 50
    """Pages after which a browser context is closed and its memory given back."""
    pages_per_browser: Annotated[int, Field(ge=1, le=1_000_000)] = 500
    """Pages after which the browser is started anew."""
