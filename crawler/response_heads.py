"""A limit for the heads of responses, which Twisted reads for as long as the server likes.

``DOWNLOAD_MAXSIZE`` is for bodies alone: headers without an end would fill the memory until the
download's time is over.
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

# Browsers allow as much; a head of some kilobytes is a long one.
LARGEST: Final = 256 * 1024


class BoundedHandler(HTTP11DownloadHandler):
    """Scrapy's handler of http and https; a response whose head is too large is an error."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        bound_heads(self)


def bound_heads(handler: HTTP11DownloadHandler) -> None:
    """Limit the heads of what ``handler`` fetches; call it before it fetches anything."""
    handler._pool._factory = _Factory


class _Protocol(_LenientHTTP11ClientProtocol):
    """A connection that is given up with LARGEST bytes of a head."""

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
