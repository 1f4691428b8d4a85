"""What becomes of the requests at which the browser stops: whose they are, and where pages go."""

from __future__ import annotations

from typing import Any

import pytest

from crawler.rendering.gate import Gate
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


def gate_at(url: str) -> Gate:
    """A gate that has shown the page before, and expects the one at the URL."""
    gate = Gate("tab")
    for expected in (BEFORE, url):
        gate.is_shown = True
        gate.expect(served(expected))
    return gate


def is_served(gate: Gate, event: dict[str, Any]) -> bool:
    return gate.reply(event).parameters.get("responseCode") == 200


def test_the_document_is_answered_with_what_was_served_and_once() -> None:
    gate = gate_at(HERE)
    reply = gate.reply(asked(HERE))
    assert reply.command == "Fetch.fulfillRequest"
    assert reply.parameters["responseHeaders"] == [{"name": "content-type", "value": "text/html"}]
    assert not is_served(gate, asked(HERE))


def test_another_url_is_not_taken_for_it() -> None:
    gate = gate_at(HERE)
    assert not is_served(gate, asked(ELSEWHERE))
    assert is_served(gate, asked(HERE))


def test_a_url_that_chromium_writes_in_its_own_way_is_known_by_having_no_referrer() -> None:
    gate = gate_at("https://b.example/x|y")
    assert not is_served(gate, asked(ELSEWHERE, referrer=BEFORE))
    assert is_served(gate, asked("https://b.example/x%7Cy"))


@pytest.mark.parametrize(
    ("referrer", "is_its_own"),
    [
        *((own, True) for own in (HERE, "https://b.example/", None)),
        *((late, False) for late in (BEFORE, "https://a.example/")),
    ],
)
def test_a_page_moves_where_it_asks_itself(referrer: str | None, *, is_its_own: bool) -> None:
    gate = gate_at(HERE)
    gate.reply(asked(HERE))
    gate.reply(asked(ELSEWHERE, referrer=referrer))
    assert gate.moved_to is None
    gate.is_shown = True
    assert gate.reply(asked(ELSEWHERE, referrer=referrer)).parameters["responseCode"] == 204
    assert gate.moved_to == (ELSEWHERE if is_its_own else None)


def test_a_download_moves_nobody() -> None:
    """A file by its name, and the target of ``<a download>``."""
    gate = gate_at(HERE)
    gate.reply(asked(HERE))
    gate.is_shown = True
    for event in (asked("https://b.example/files.ZIP?v=1"), asked(ELSEWHERE, accept=None)):
        assert gate.reply(event).parameters["responseCode"] == 204
        assert gate.moved_to is None


def test_frames_are_fetched_and_what_is_not_needed_is_refused() -> None:
    gate = gate_at(HERE)
    commands = [
        gate.reply(event).command
        for event in (
            asked("https://c.example/map", frame="inner"),
            asked("https://c.example/Paper.PDF?page=1", frame="inner"),
            asked("https://c.example/film", kind="Media"),
        )
    ]
    assert commands == ["Fetch.continueRequest", "Fetch.failRequest", "Fetch.failRequest"]
    assert gate.moved_to is None
