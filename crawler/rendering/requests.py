"""The interface for spiders: an HTML response in, the rendered page or an error out."""

from __future__ import annotations

from dataclasses import dataclass, field

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from w3lib.encoding import http_content_type_encoding

from corpus_commons.markup.encoding import declared_encoding, decode
from crawler.fetching.responses import media_type
from crawler.fetching.robots_middleware import EXEMPT
from crawler.items import header_pairs
from crawler.rendering.options import SLOT

SERVED = "rendering"
RENDERED = "rendered"


class RenderingError(Exception):
    """A page could not be rendered.

    reason: a short label, counted in the statistics:
        ``render-timeout`` the page exceeded its time limit;
        ``render-crashed`` the page's process crashed, usually out of memory;
        ``render-too-large`` the rendered HTML is larger than ``content_size``;
        ``render-failed`` the browser refused the page, or the page replaced its document;
        ``render-budget`` nothing of the run's budget was left for it;
        ``browser-lost`` two browsers in a row died while they rendered it.
    detail: for the user.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail

    @property
    def is_transient(self) -> bool:
        """Whether a later retry may succeed."""
        return self.reason != "render-too-large"

    @property
    def is_final(self) -> bool:
        """Whether no later try of this run can succeed."""
        return self.reason == "render-budget"

    @property
    def is_timeout(self) -> bool:
        """Whether the page exceeded its time limit."""
        return self.reason == "render-timeout"


class NoBrowserError(Exception):
    """No browser can be started, so no page can be rendered; the message says why."""


@dataclass(frozen=True, slots=True)
class ServedPage:
    """An HTML response that was already fetched; the browser gets it instead of visiting the host.

    headers: names in lower case, values as Latin-1. body: without content encoding.
    """

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A rendered page.

    html: the DOM after scripts ran, serialised.
    screenshot: JPEG, with ``RenderingOptions.screenshot_scale`` pixels per CSS pixel.
    is_loaded: False if loading or scripts were stopped, so that the page may be incomplete.
    moved_to: where the page tried to navigate, which was blocked; None if it did not.
    seconds: until the content was read. screenshot_seconds: for the screenshot after that.
    """

    html: str = field(repr=False)
    screenshot: bytes = field(repr=False)
    is_loaded: bool
    moved_to: str | None
    seconds: float
    screenshot_seconds: float


def rendered_request(response: Response) -> Request:
    """A request that renders an HTML response, and fetches only the page's resources.

    Its response has the rendered HTML as body and a ``RenderedPage`` in
    ``response.meta["rendered"]``; it fails with a RenderingError. It uses a download slot of its
    own, not the host's.
    """
    meta = {
        SERVED: _served(response),
        "download_slot": SLOT,
        # robots.txt and redirects were handled when the response was fetched.
        EXEMPT: True,
        "dont_redirect": True,
        "handle_httpstatus_all": True,
    }
    return Request(response.url, meta=meta, dont_filter=True)


def _served(response: Response) -> ServedPage:
    """The response, in UTF-8 if it does not declare its encoding, which a browser would guess."""
    headers = header_pairs(response.headers)
    body = response.body
    content_type = dict(headers).get("content-type")
    declared = declared_encoding(body, http_content_type_encoding(content_type))
    if declared is None and media_type(response.headers) in ("text/html", ""):
        body = decode(body).encode()
        others = (pair for pair in headers if pair[0] != "content-type")
        headers = (*others, ("content-type", "text/html; charset=utf-8"))
    return ServedPage(response.url, response.status, headers, body)


async def render(crawler: Crawler, response: Response) -> RenderedPage:
    """Render an HTML response, in an async callback. Raises RenderingError, NoBrowserError."""
    if crawler.engine is None:
        raise RuntimeError("render() needs a running crawler")
    answer = await crawler.engine.download_async(rendered_request(response))
    rendered: RenderedPage = answer.meta[RENDERED]
    return rendered
