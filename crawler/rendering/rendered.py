"""The input and the result of rendering a page."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Served:
    """An HTML response that was already fetched; the browser gets it instead of visiting the host.

    headers: names in lower case, values as Latin-1. body: without content encoding.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered page.

    html: the DOM after scripts ran, serialised.
    screenshot: JPEG, with ``Options.screenshot_scale`` pixels per CSS pixel.
    height: of the whole page, in CSS pixels.
    is_loaded: False if loading or scripts were stopped, so that the page may be incomplete.
    moved_to: where the page tried to navigate, which was blocked; None if it did not.
    seconds: until the content was read. screenshot_seconds: for the screenshot after that.
    """

    html: str = field(repr=False)
    screenshot: bytes = field(repr=False)
    height: int
    is_loaded: bool
    moved_to: str | None
    seconds: float
    screenshot_seconds: float
