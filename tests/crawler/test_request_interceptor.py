"""What becomes of the requests at which the browser stops: whose they are, and where pages go."""

from __future__ import annotations

from typing import Any

import pytest

from crawler.rendering.request_interceptor import RequestInterceptor
from crawler.rendering.requests import ServedPage

HERE, BEFORE, ELSEWHERE = "https://b.example/here", "https://a.example/one", "https://c.example/"
HEADERS = (("content-type", "text/html"), ("refresh", "0"), ("link", "</next>; rel=prefetch"))


def served(url: str) -> ServedPage:
    return ServedPage(url, 200, HEADERS, b"<p>text")


def asked(
    url: str,
    *,
    frame: str = "tab",
    kind: str = "Document",
    referrer: str | None = None,
    accept: str | None = "text/html,*/*;q=0.8",
) -> dict[str, Any]:
    given = {"Referer": referrer, "Accept": accept}
    headers = {name: value for name, value in given.items() if value is not None}
    request = {"url": url, "headers": headers}
    return {"requestId": "1", "frameId": frame, "resourceType": kind, "request": request}


def interceptor_at(url: str) -> RequestInterceptor:
    """A interceptor that has shown the page before, and expects the one at the URL."""
    interceptor = RequestInterceptor("tab")
    for expected in (BEFORE, url):
        interceptor.is_shown = True
        interceptor.expect(served(expected))
    return interceptor


def is_served(interceptor: RequestInterceptor, event: dict[str, Any]) -> bool:
    return interceptor.reply(event).parameters.get("responseCode") == 200


def test_the_document_is_answered_with_what_was_served_and_once() -> None:
    interceptor = interceptor_at(HERE)
    reply = interceptor.reply(asked(HERE))
    assert reply.command == "Fetch.fulfillRequest"
    assert reply.parameters["responseHeaders"] == [{"name": "content-type", "value": "text/html"}]
    assert not is_served(interceptor, asked(HERE))


def test_another_url_is_not_taken_for_it() -> None:
    interceptor = interceptor_at(HERE)
    assert not is_served(interceptor, asked(ELSEWHERE))
    assert is_served(interceptor, asked(HERE))


def test_a_url_that_chromium_writes_in_its_own_way_is_known_by_having_no_referrer() -> None:
    interceptor = interceptor_at("https://b.example/x|y")
    assert not is_served(interceptor, asked(ELSEWHERE, referrer=BEFORE))
    assert is_served(interceptor, asked("https://b.example/x%7Cy"))


@pytest.mark.parametrize(
    ("referrer", "is_its_own"),
    [
        *((own, True) for own in (HERE, "https://b.example/", None)),
        *((late, False) for late in (BEFORE, "https://a.example/")),
    ],
)
def test_a_page_moves_where_it_asks_itself(referrer: str | None, *, is_its_own: bool) -> None:
    interceptor = interceptor_at(HERE)
    interceptor.reply(asked(HERE))
    interceptor.reply(asked(ELSEWHERE, referrer=referrer))
    assert interceptor.moved_to is None
    interceptor.is_shown = True
    assert interceptor.reply(asked(ELSEWHERE, referrer=referrer)).parameters["responseCode"] == 204
    assert interceptor.moved_to == (ELSEWHERE if is_its_own else None)


def test_a_download_moves_nobody() -> None:
    """A file by its name, and the target of ``<a download>``."""
    interceptor = interceptor_at(HERE)
    interceptor.reply(asked(HERE))
    interceptor.is_shown = True
    for event in (asked("https://b.example/files.ZIP?v=1"), asked(ELSEWHERE, accept=None)):
        assert interceptor.reply(event).parameters["responseCode"] == 204
        assert interceptor.moved_to is None


def test_frames_are_fetched_and_what_is_not_needed_is_refused() -> None:
    interceptor = interceptor_at(HERE)
    commands = [
        interceptor.reply(event).command
        for event in (
            asked("https://c.example/map", frame="inner"),
            asked("https://c.example/Paper.PDF?page=1", frame="inner"),
            asked("https://c.example/film", kind="Media"),
        )
    ]
    assert commands == ["Fetch.continueRequest", "Fetch.failRequest", "Fetch.failRequest"]
    assert interceptor.moved_to is None
