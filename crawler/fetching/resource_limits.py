"""Limits of responses and of memory that Scrapy lacks or gets wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from scrapy import Request
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest
from scrapy.extensions.memusage import MemoryUsage
from scrapy.http import Response
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IAddress
from twisted.web._newclient import HEADER, STATUS
from twisted.web._newclient import Request as SentRequest
from twisted.web.iweb import IResponse

from crawler.fetching.compressed_ends import has_end
from crawler.politeness.shared_files import is_there

# The limit of browsers; usual headers have a few kilobytes.
LARGEST_HEAD: Final = 256 * 1024
# Servers compress once; a cache in between may do it again.
_MOST_ENCODINGS: Final = 3
_MEMORY_STATUS: Final = Path("/proc/self/statm")


class BoundedHandler(HTTP11DownloadHandler):
    """Scrapy's handler of http and https, which fails for too large response headers.

    ``DOWNLOAD_MAXSIZE`` is only for bodies, and Twisted has no limit: endless headers would fill
    the memory until the download times out.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        bound_heads(self)

    async def download_request(self, request: Request) -> Response:
        return whole(await super().download_request(request))


def whole(response: Response) -> Response:
    """The response; raises EOFError if its body is read, but the connection broke before its end.

    Browsers follow a redirect once they have its head.
    """
    if "dataloss" in response.flags and is_there(response):
        raise EOFError("the connection ends before the body does")
    return response


def bound_heads(handler: HTTP11DownloadHandler) -> None:
    """Limit the response headers of ``handler``; call it before the first download."""
    handler._pool._factory = _Factory


class BoundedClientProtocol(_LenientHTTP11ClientProtocol):
    """A connection that is aborted after LARGEST_HEAD bytes of response headers."""

    _head = 0

    def request(self, request: SentRequest) -> Deferred[IResponse]:
        answer = super().request(request)
        # Twisted's own limit is 16 kB for each line, which policies of content exceed.
        self._parser.MAX_LENGTH = LARGEST_HEAD  # type: ignore[union-attr]
        return answer

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        parser = self._parser
        if parser is None or parser.state not in (STATUS, HEADER):
            self._head = 0
            return
        self._head += len(data)
        if self._head > LARGEST_HEAD and self.transport is not None:
            self.transport.abortConnection()


class _Factory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: IAddress | None) -> BoundedClientProtocol:  # noqa: N802 - Twisted's name
        return BoundedClientProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class TooManyEncodingsError(IgnoreRequest):
    """The response has too many content encodings."""


class BoundedCompressionMiddleware(HttpCompressionMiddleware):
    """Scrapy's middleware, which decompresses; raises TooManyEncodingsError beforehand.

    ``DOWNLOAD_MAXSIZE`` limits only the size: a small response that is compressed a thousand times
    would be decompressed a thousand times, and block the crawler meanwhile. A body that exceeds it
    when decompressed raises the same error as one that is sent so, DownloadCancelledError. One that
    was cut off raises EOFError, as if the connection had broken. One that is not read may be
    anything.
    """

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        if not is_there(response):
            return response
        headers = response.headers.getlist("Content-Encoding")
        codings = [coding for header in headers for coding in header.decode("latin-1").split(",")]
        if len(codings) > _MOST_ENCODINGS:
            raise TooManyEncodingsError(
                f"{len(codings):,} content encodings, at most {_MOST_ENCODINGS} are allowed"
            )
        try:
            unpacked = super().process_response(request, response)
        except IgnoreRequest as error:
            raise DownloadCancelledError(str(error)) from error
        if codings and _is_cut_off(response, unpacked, codings[-1].strip().lower()):
            raise EOFError("the body ends before its compressed data do")
        return unpacked


def _is_cut_off(packed: Response, unpacked: Request | Response, coding: str) -> bool:
    """coding: the last one, in which the body was sent."""
    # We stop some ourselves. A 304 has no body, but may name a coding.
    if "download_stopped" in packed.flags or not packed.body or isinstance(unpacked, Request):
        return False
    return not has_end(packed.body, coding, len(unpacked.body))


class MemoryGuard(MemoryUsage):
    """Scrapy measures the peak usage, which on Linux includes the parent process's at the fork: a
    crawl that was started by a large program would stop at once.
    """

    def get_virtual_size(self) -> int:
        """Resident bytes on Linux; on other systems, Scrapy's value."""
        if not _MEMORY_STATUS.exists():
            return super().get_virtual_size()
        return int(_MEMORY_STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
