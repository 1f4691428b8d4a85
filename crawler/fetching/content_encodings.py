"""Limits the number of content encodings of a response.

``DOWNLOAD_MAXSIZE`` limits only the size: a small response that is compressed a thousand times
would be decompressed a thousand times, and block the crawler meanwhile.
"""

from __future__ import annotations

from typing import Final

from scrapy import Request
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

# Servers compress once; a cache in between may do it again.
_MOST: Final = 3


class TooManyCodingsError(IgnoreRequest):
    """The response has too many content encodings."""


class BoundedCompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's middleware, which decompresses responses; raises TooManyCodingsError beforehand."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        headers = response.headers.getlist("Content-Encoding")
        codings = sum(header.count(b",") + 1 for header in headers)
        if codings > _MOST:
            raise TooManyCodingsError(f"{codings:,} content encodings, at most {_MOST} are allowed")
        return super().process_response(request, response)
