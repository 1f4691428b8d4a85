"""What goes into the drawing of a page, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Served:
    """An HTML answer that was fetched already; the browser is given it in place of a visit.

    headers: names in lower case, values as Latin-1. body: without its content encoding.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Drawn:
    """What the browser made of it.

    html: the DOM after scripts ran, serialised.
    screenshot: JPEG, ``Options.screenshot_scale`` pixels to a CSS pixel.
    height: of the page, in CSS pixels, also beyond the screenshot.
    is_loaded: False if loading or the page's scripts were cut short, and this is what stood there.
    moved_to: where the page wanted to go by itself, and was not let; None if it stayed.
    seconds, screenshot_seconds: until the content was read; for the screenshot after that.
    """

    html: str = field(repr=False)
    screenshot: bytes = field(repr=False)
    height: int
    is_loaded: bool
    moved_to: str | None
    seconds: float
    screenshot_seconds: float
