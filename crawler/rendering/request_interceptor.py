"""Decides about the requests that the browser pauses for us (CDP's ``Fetch`` domain)."""

from __future__ import annotations

import base64
import re
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from corpus_commons.url_reference import joined
from crawler.rendering.blocklist import is_unneeded_file, patterns
from crawler.rendering.requests import ServedPage

# URLs that Chromium leaves unchanged. It normalises others: numeric hosts, default ports, dot
# segments, needless percent-encoding.
_PLAIN_URL = re.compile(
    r"https?://(?:127\.0\.0\.1|(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*)(?::(?!80/|443/)[1-9]\d*)?"
    r"/(?!\.|.*/\.)(?:[\w.~/=&?+,:;@$!*()-]|%[89A-F][0-9A-F])*",
    re.ASCII,
)
# Headers about the transport, or with effects that a rendered page must not have.
_DROPPED_HEADERS = frozenset(
    {
        *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"),
        *("content-disposition", "refresh", "alt-svc", "trailer", "upgrade"),
        "link",  # preloads and prefetches
    }
)


class Reply(NamedTuple):
    """A command of CDP's ``Fetch`` domain."""

    command: str
    parameters: dict[str, Any]


class RequestInterceptor:
    """Answers the tab's document with the response served, and blocks any later navigation.

    Documents of frames are fetched.

    frame: the id of the tab's main frame.
    is_shown: whether the page has replaced the previous one, whose last requests may still arrive.
    moved_to: where the page tried to navigate; None if it did not, or it was a download.
    """

    def __init__(self, frame: str) -> None:
        self.frame = frame
        self.is_shown = False
        self._served: ServedPage | None = None
        self._before = self._url = ""
        self.moved_to: str | None = None

    def expect(self, served: ServedPage) -> None:
        """Prepare for the next page, or for another try to show it."""
        self._served = served
        if served.url != self._url:
            self._before, self._url = self._url, served.url
        self.is_shown = False
        self.moved_to = None

    def reply(self, event: dict[str, Any]) -> Reply:
        """The reply to a ``Fetch.requestPaused`` event."""
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
            return Reply("Fetch.fulfillRequest", {**paused, **_response_of(served)})
        if self.is_shown and not self._is_late(referrer) and not _is_saved(url, headers):
            self.moved_to = url
        # A 204 cancels the navigation.
        return Reply("Fetch.fulfillRequest", {**paused, "responseCode": 204})

    def _is_late(self, referrer: str) -> bool:
        """Whether the request comes from the previous page, by its URL or origin as referrer."""
        return referrer in _referrers(self._before) - _referrers(self._url)


def intercepted_patterns() -> list[dict[str, str]]:
    """Patterns for ``Fetch.enable``: pause documents and what is not needed."""
    return [{"resourceType": "Document"}, *patterns()]


def keeps_its_spelling(url: str) -> bool:
    """Whether the browser requests exactly this URL, so that its request is recognised by it.

    >>> keeps_its_spelling("http://example.com/a?b=1"), keeps_its_spelling("http://example.com:80/")
    (True, False)
    """
    return _PLAIN_URL.fullmatch(url) is not None


def _asks_for(served: ServedPage, url: str, referrer: str) -> bool:
    # If the URL may be normalised: a request without a referrer is our own navigation.
    return url == served.url or not (keeps_its_spelling(served.url) or referrer)


def _is_saved(url: str, headers: dict[str, str]) -> bool:
    """Whether this is a download, so that the page stays where it is.

    For a click on ``<a download>``, the browser's ``Accept`` does not include HTML.
    """
    return is_unneeded_file(url) or "text/html" not in headers.get("Accept", "")


def _referrers(url: str) -> set[str]:
    url = urldefrag(url).url
    return {url, joined(url, "/")}


def _refusal(paused: dict[str, Any]) -> Reply:
    return Reply("Fetch.failRequest", {**paused, "errorReason": "BlockedByClient"})


def _response_of(served: ServedPage) -> dict[str, Any]:
    headers = [
        {"name": name, "value": value}
        for name, value in served.headers
        if name not in _DROPPED_HEADERS
    ]
    return {
        "responseCode": served.status,
        "responseHeaders": headers,
        "body": base64.b64encode(served.body).decode("ascii"),
    }
