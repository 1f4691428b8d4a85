"""Limits the size of response headers, which Twisted does not.

``DOWNLOAD_MAXSIZE`` is only for bodies: endless headers would fill the memory until the download
times out.
"""

from __future__ import annotations

from typing import Final

from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from twisted.internet.interfaces import IAddress
from twisted.web._newclient import HEADER, STATUS

# The limit of browsers; usual headers have a few kilobytes.
LARGEST: Final = 256 * 1024


class BoundedHandler(HTTP11DownloadHandler):
    """Scrapy's handler of http and https, which fails for too large response headers."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        bound_heads(self)


def bound_heads(handler: HTTP11DownloadHandler) -> None:
    """Limit the response headers of ``handler``; call it before the first download."""
    handler._pool._factory = _Factory


class _Protocol(_LenientHTTP11ClientProtocol):
    """A connection that is aborted after LARGEST bytes of response headers."""

    _head = 0

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        parser = self._parser
        if parser is None or parser.state not in (STATUS, HEADER):
            self._head = 0
            return
        self._head += len(data)
        if self._head > LARGEST and self.transport is not None:
            self.transport.abortConnection()


class _Factory(_LenientHTTP11ClientFactory):
    def buildProtocol(self, addr: IAddress | None) -> _Protocol:  # noqa: N802 - Twisted's name
        return _Protocol(self._quiescentCallback)  # type: ignore[no-untyped-call]
