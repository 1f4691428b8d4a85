"""The interface for spiders: an HTML response in, the rendered page out."""

from __future__ import annotations

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from w3lib.encoding import http_content_type_encoding

from corpus_commons.markup.encoding import declared_encoding, decode
from crawler.fetching.responses import media_type
from crawler.items import header_pairs
from crawler.politeness.robots import EXEMPT
from crawler.rendering.options import SLOT
from crawler.rendering.rendered import Rendered, Served

SERVED = "rendering"
RENDERED = "rendered"


def rendered_request(response: Response) -> Request:
    """A request that renders an HTML response, and fetches only the page's resources.

    Its response has the rendered HTML as body and a ``Rendered`` in ``response.meta["rendered"]``;
    it fails with a RenderingError. It uses a download slot of its own, not the host's.
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


def _served(response: Response) -> Served:
    """The response, in UTF-8 if it declares no encoding: a browser would assume windows-1252."""
    headers = header_pairs(response.headers)
    body = response.body
    content_type = dict(headers).get("content-type")
    declared = declared_encoding(body, http_content_type_encoding(content_type))
    if declared is None and media_type(response.headers) in ("text/html", ""):
        body = decode(body).encode()
        others = (pair for pair in headers if pair[0] != "content-type")
        headers = (*others, ("content-type", "text/html; charset=utf-8"))
    return Served(response.url, response.status, headers, body)


async def render(crawler: Crawler, response: Response) -> Rendered:
    """Render an HTML response, in an async callback. Raises RenderingError, NoBrowserError."""
    if crawler.engine is None:
        raise RuntimeError("render() needs a running crawler")
    answer = await crawler.engine.download_async(rendered_request(response))
    rendered: Rendered = answer.meta[RENDERED]
    return rendered
