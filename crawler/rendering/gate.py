"""What becomes of the requests at which the browser stops and asks us."""

from __future__ import annotations

import base64
import re
from typing import Any, NamedTuple
from urllib.parse import urldefrag, urljoin

from crawler.rendering.drawing import Served
from crawler.rendering.unneeded import is_unneeded_file, patterns

# Such a URL is the same for Chromium, letter by letter; others it may write in its own way: numbers
# for hosts, the port that goes without saying, dots for folders, letters that need no escape.
_PLAIN_URL = re.compile(
    r"https?://(?:127\.0\.0\.1|(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*)(?::(?!80/|443/)[1-9]\d*)?"
    r"/(?!\.|.*/\.)(?:[\w.~/=&?+,:;@$!*()-]|%[89A-F][0-9A-F])*",
    re.ASCII,
)
# About the answer's transport, or about things that a page in a corpus must not do.
_NOT_PASSED_ON = frozenset(
    {
        *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"),
        *("content-disposition", "refresh", "set-cookie", "alt-svc", "trailer", "upgrade"),
        "link",  # preloads and prefetches
    }
)


class Reply(NamedTuple):
    """A command of CDP's ``Fetch`` domain."""

    command: str
    parameters: dict[str, Any]


class Gate:
    """The tab's own document is what was served, and nothing after it. Frames are fetched.

    frame: that of the tab.
    is_shown: whether the page has taken the place of the one before, whose last request may still
        come.
    moved_to: where the page wanted to go by itself; None if it stayed, or began a download.
    """

    def __init__(self, frame: str) -> None:
        self.frame = frame
        self.is_shown = False
        self._served: Served | None = None
        self._before = self._url = ""
        self.moved_to: str | None = None

    def expect(self, served: Served) -> None:
        """The next page."""
        self._served = served
        self._before, self._url = self._url, served.url
        self.is_shown = False
        self.moved_to = None

    def reply(self, event: dict[str, Any]) -> Reply:
        """The answer to a ``Fetch.requestPaused``."""
        paused = {"requestId": event["requestId"]}
        url = str(event["request"]["url"])
        if event["resourceType"] != "Document":
            return _refusal(paused)
        if event["frameId"] != self.frame:
            is_unneeded = is_unneeded_file(url)
            return _refusal(paused) if is_unneeded else Reply("Fetch.continueRequest", paused)
        headers = event["request"]["headers"]
        referrer = str(headers.get("Referer", ""))
        served = self._served
        if served is not None and _asks_for(served, url, referrer):
            self._served = None
            return Reply("Fetch.fulfillRequest", {**paused, **_answer_of(served)})
        if self.is_shown and not self._is_late(referrer) and not _is_saved(url, headers):
            self.moved_to = url
        # "No content" leaves the page where it is.
        return Reply("Fetch.fulfillRequest", {**paused, "responseCode": 204})

    def _is_late(self, referrer: str) -> bool:
        """Whether the page before asks. Other sites are told no more of it than its origin."""
        return referrer in _referrers(self._before) - _referrers(self._url)


def stop_patterns() -> list[dict[str, str]]:
    """Where the browser is to stop, for ``Fetch.enable``: at documents, and what is not needed."""
    return [{"resourceType": "Document"}, *patterns()]


def keeps_its_spelling(url: str) -> bool:
    """Whether the browser asks for the URL letter by letter, so that no other is taken for it.

    >>> keeps_its_spelling("http://example.com/a?b=1"), keeps_its_spelling("http://example.com:80/")
    (True, False)
    """
    return _PLAIN_URL.fullmatch(url) is not None


def _asks_for(served: Served, url: str, referrer: str) -> bool:
    # Nobody refers to what was served.
    return url == served.url or not (keeps_its_spelling(served.url) or referrer)


def _is_saved(url: str, headers: dict[str, str]) -> bool:
    """Whether what comes is a file that visitors keep, while the page stays where it is.

    For the target of a click on ``<a download>`` a browser does not say that it accepts HTML.
    """
    return is_unneeded_file(url) or "text/html" not in headers.get("Accept", "")


def _referrers(url: str) -> set[str]:
    url = urldefrag(url).url
    return {url, urljoin(url, "/")}


def _refusal(paused: dict[str, Any]) -> Reply:
    return Reply("Fetch.failRequest", {**paused, "errorReason": "BlockedByClient"})


def _answer_of(served: Served) -> dict[str, Any]:
    headers = [
        {"name": name, "value": value}
        for name, value in served.headers
        if name not in _NOT_PASSED_ON
    ]
    return {
        "responseCode": served.status,
        "responseHeaders": headers,
        "body": base64.b64encode(served.body).decode("ascii"),
    }
