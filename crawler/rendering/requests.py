"""The seam to the spider: an answer in, the drawn page out."""

from __future__ import annotations

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from crawler.items import header_pairs
from crawler.rendering.drawing import Drawn, Served
from crawler.rendering.options import SLOT
from crawler.robots import EXEMPT

SERVED = "rendering"
DRAWN = "drawn"


def rendered_request(response: Response) -> Request:
    """A request that draws an HTML answer, and fetches nothing but what the page refers to.

    Its response has the drawn HTML as its body and a ``Drawn`` in ``response.meta["drawn"]``; its
    failure is a RenderingError. It stands in a slot of its own, not in the host's.
    """
    served = Served(
        url=response.url,
        status=response.status,
        headers=header_pairs(response.headers),
        body=response.body,
    )
    meta = {
        SERVED: served,
        "download_slot": SLOT,
        # robots.txt was asked and redirects were followed when the answer was fetched.
        EXEMPT: True,
        "dont_redirect": True,
        "handle_httpstatus_all": True,
    }
    return Request(response.url, meta=meta, dont_filter=True)


async def draw(crawler: Crawler, response: Response) -> Drawn:
    """Draw an HTML answer, from within an async callback. Raises RenderingError."""
    if crawler.engine is None:
        raise RuntimeError("draw() needs a crawler that is running")
    answer = await crawler.engine.download_async(rendered_request(response))
    drawn: Drawn = answer.meta[DRAWN]
    return drawn
