"""A limit for how often an answer may be packed.

``DOWNLOAD_MAXSIZE`` is for the size alone: an answer within it that is packed a thousand times is
unpacked a thousand times, while the crawler does nothing else.
"""

from __future__ import annotations

from typing import Final

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

# Servers pack once; a cache between may do it again.
_MOST: Final = 3


class TooManyCodingsError(IgnoreRequest):
    """The answer is packed more often than is undone."""


class BoundedCompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's own, which unpacks answers; raises TooManyCodingsError before it begins."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        headers = response.headers.getlist("Content-Encoding")
        codings = sum(header.count(b",") + 1 for header in headers)
        if codings > _MOST:
            raise TooManyCodingsError(f"packed {codings:,} times; at most {_MOST} are undone")
        return super().process_response(request, response)
