"""Visits to the demo site by a plain HTTP client."""

from __future__ import annotations

import http.client
import re
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from crawler.demo import DemoSite, Timings

TOO_MUCH = {"/odd/endless", "/odd/stalled", "/odd/large", "/odd/large-chunked", "/odd/bomb"}
QUICK = Timings(slow=0.3, retry_after=1, crawl_delay=0.1)


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    def html(self) -> LexborHTMLParser:
        """Decoded as declared: by the header, else by the meta element."""
        declared = re.search(r"charset=([\w-]+)", self.headers["content-type"])
        head = self.body[:500].decode("ascii", "replace")
        found = declared or re.search(r'charset="([\w-]+)"', head)
        assert found
        # Browsers read what is called ISO 8859-1 as Windows 1252.
        charset = {"iso-8859-1": "windows-1252"}.get(found[1], found[1])
        return LexborHTMLParser(self.body.decode(charset, "replace"))


def connect(site: DemoSite, base: str = "") -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(base or site.base).netloc, timeout=20)


def fetch(site: DemoSite, path: str, method: str = "GET") -> Answer:
    connection = connect(site)
    try:
        connection.request(method, quote(path, safe="/?&=%"), headers={"User-Agent": "demo-test"})
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        body = b"" if path in TOO_MUCH else answer.read()
        return Answer(answer.status, headers, body)
    finally:
        connection.close()
