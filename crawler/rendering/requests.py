"""The seam to the spider: an answer in, the drawn page out."""

from __future__ import annotations

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from w3lib.encoding import http_content_type_encoding

from crawler.items import header_pairs
from crawler.rendering.drawing import Drawn, Served
from crawler.rendering.options import SLOT
from crawler.responses import media_type
from crawler.robots import EXEMPT
from markup.encoding import declared_encoding, decode

SERVED = "rendering"
DRAWN = "drawn"


def rendered_request(response: Response) -> Request:
    """A request that draws an HTML answer, and fetches nothing but what the page refers to.

    Its response has the drawn HTML as its body and a ``Drawn`` in ``response.meta["drawn"]``; its
    failure is a RenderingError. It stands in a slot of its own, not in the host's.
    """
    meta = {
        SERVED: _served(response),
        "download_slot": SLOT,
        # robots.txt was asked and redirects were followed when the answer was fetched.
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


async def draw(crawler: Crawler, response: Response) -> Drawn:
    """Draw an HTML answer, from within an async callback. Raises RenderingError."""
    if crawler.engine is None:
        raise RuntimeError("draw() needs a crawler that is running")
    answer = await crawler.engine.download_async(rendered_request(response))
    drawn: Drawn = answer.meta[DRAWN]
    return drawn
