"""Who may talk to the live page, how much it costs them, and what hostile pages look like on it."""

from __future__ import annotations

import re
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import orjson
import pytest
from asking import asked
from live_server import DEAD, Reader, Served, document, look, serving, wait_until
from live_site import EVIL, events
from playwright.sync_api import sync_playwright

from corpus_commons.browser import has_browser, system_browser
from live.documents import LONGEST_TEXT, MOST
from live.server import MOST_VIEWERS
from pipelines.reading.content import Content
from pipelines.reading.page_blocks import MOST_BLOCKS, PageBlock, PageBlocks

ROOT = Path(__file__).parents[2]
TOKEN = "a-token-of-24-characters"  # noqa: S105 - of the test
LARGEST_PAGE = 200_000


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("open")) as found:
        yield found


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("locked"), token=TOKEN) as found:
        yield found


def told(served: Served) -> dict[str, Any]:
    """The next event."""
    return cast(dict[str, Any], next(events(served.address)))


class TestDoor:
    def test_another_host_is_refused_as_after_a_rebinding_of_its_name(self, served: Served) -> None:
        port = urlsplit(served.address).port
        for path in ("", "events", "metrics", "page.css"):
            for host in (f"evil.example:{port}", "127.0.0.1", f"127.0.0.1.evil.example:{port}", ""):
                assert asked(served.address, path, Host=host)[0] == 403
        assert asked(served.address, Host=f"localhost:{port}")[0] == 200

    def test_changes_come_from_our_own_pages_only(self, served: Served) -> None:
        origin = served.address.rstrip("/")
        port = urlsplit(origin).port

        def said(**headers: str) -> int:
            body = b'{"reason": "none of ours"}'
            return asked(served.address, "actions/retry", method="POST", body=body, **headers)[0]

        for headers in ({}, {"Origin": "null"}, {"Origin": "https://evil.example"}):
            assert said(**headers) == 403
        assert said(Origin=f"http://evil.example:{port}", Host=f"evil.example:{port}") == 403
        assert said(Origin=origin) == 200
        assert asked(served.address, "actions/retry", Origin=origin)[0] == 405, "not by a link"

    def test_with_a_token_only_its_address_or_its_bearer_is_let_in(self, locked: Served) -> None:
        root = locked.address.removesuffix(f"{TOKEN}/")
        assert asked(locked.address)[0] == 200
        assert asked(locked.address, "metrics")[0] == 200
        assert asked(root, "metrics", Authorization=f"Bearer {TOKEN}")[0] == 200
        for path in ("", "events", "metrics", "actions/retry", f"{TOKEN[:-1]}/metrics"):
            assert asked(root, path)[0] == 403
        for given in (TOKEN, f"Bearer {TOKEN}x", "Bearer ", f"Basic {TOKEN}"):
            assert asked(root, "metrics", Authorization=given)[0] == 403

    def test_the_pages_of_a_token_find_their_parts(self, locked: Served) -> None:
        body = asked(locked.address)[1].decode()
        parts = re.findall(r'(?:href|src)="/([^"]+)"', body)
        assert f"{TOKEN}/static/live.js" in parts
        root = locked.address.removesuffix(f"{TOKEN}/")
        assert all(asked(root, part)[0] == 200 for part in parts)

    def test_nothing_runs_or_loads_but_our_own(self, served: Served) -> None:
        _, body, headers = asked(served.address)
        policy = headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert b"http" not in body.replace(b"http-equiv", b"")


class TestActions:
    @pytest.mark.parametrize(
        ("path", "body", "status"),
        [
            ("actions/retry", b"[", 400),
            ("actions/retry", b'{"reason": 1}', 400),
            ("actions/retry", b"[]", 400),
            ("actions/retry", b'"http-500"', 400),
            ("actions/format-disk", b"{}", 400),
            pytest.param("actions/retry", b"x" * 4_000_001, 403, id="too large"),
            ("nowhere", b"{}", 404),
        ],
    )
    def test_odd_requests_change_nothing(
        self, served: Served, path: str, body: bytes, status: int
    ) -> None:
        origin = served.address.rstrip("/")
        assert asked(served.address, path, method="POST", body=body, Origin=origin)[0] == status
        assert told(served)["urls"]["dead"] == 1

    def test_dead_urls_are_retried_by_their_reason(self, tmp_path: Path) -> None:
        with serving(tmp_path) as served:
            origin = served.address.rstrip("/")
            assert told(served)["dead"] == [[DEAD, 1]]
            body = orjson.dumps({"reason": DEAD})
            status, said, _ = asked(
                served.address, "actions/retry", method="POST", body=body, Origin=origin
            )
            assert (status, orjson.loads(said)["said"]) == (200, "1 URL put back into the queue.")
            after = told(served)
            assert (after["dead"], after["urls"]["queued"]) == ([], 2)

    def test_one_who_leaves_in_the_middle_of_a_request_is_no_error(
        self, served: Served, caplog: pytest.LogCaptureFixture
    ) -> None:
        parts = urlsplit(served.address)
        head = f"Host: {parts.netloc}\r\nOrigin: {served.address.rstrip('/')}\r\n"
        begun = f"POST /actions/retry HTTP/1.1\r\n{head}Content-Length: 9\r\n\r\n{{"
        with socket.create_connection((str(parts.hostname), parts.port or 0)) as leaving:
            leaving.sendall(begun.encode())
            assert asked(served.address)[0] == 200
        assert asked(served.address)[0] == 200
        assert caplog.records == []


class TestHostilePages:
    TITLES = (
        *(EVIL, "</script><svg onload=evil()>", "' onmouseover=evil() x='", "javascript:evil()"),
        *("a\ud800b", "\u202egnp.exe", "\x9b31m", "&lt;b&gt;", "x" * 1_000_000),
    )

    def test_they_are_text_everywhere_in_the_browser(self, tmp_path: Path) -> None:
        if not has_browser():
            pytest.skip("no Chromium is installed: make browser")
        with serving(tmp_path) as served, sync_playwright() as playwright:
            for number, title in enumerate(self.TITLES):
                fields = {"title": title, "genre": title[:99], "language": "en"}
                made = document(f"d{number}", **fields)
                made.url, made.text = f"javascript:evil('{title[:50]}')//", f"{title}\n{EVIL}"
                served.documents.add(made, look(Reader(_blocks(title))))
            browser = playwright.chromium.launch(executable_path=system_browser())
            tab = browser.new_page()
            ran: list[str] = []
            tab.on("pageerror", lambda error: ran.append(str(error)))
            tab.on("dialog", lambda dialog: ran.append(dialog.message))
            tab.add_init_script("window.evil = () => { window.ran = true }")
            tab.goto(served.address)
            tab.wait_for_selector("body[data-ready=yes]")
            shown = tab.locator("#documents h3").all_inner_texts()
            assert (
                shown[-1] == "\ufffd[31m\ufffd<script>evil()</script>\"'><img src=x onerror=evil()>"
            )
            assert [len(title) for title in shown[:2]] == [300, len("&lt;b&gt;")]
            assert tab.locator("#dead td bdi").inner_text() == DEAD
            links = tab.evaluate("[...document.links].map(link => link.href)")
            assert all(link.startswith(served.address) for link in links)
            for number in range(len(self.TITLES)):
                tab.goto(f"{served.address}documents/d{number}")
                tab.wait_for_selector("body[data-ready=yes]")
                assert tab.locator(".is-kept ins, .is-dropped del").count() == 2
                assert not tab.evaluate("Boolean(window.ran)")
                assert tab.locator("img, svg, b, script:not([src^='/static/'])").count() == 0
            assert not ran
            browser.close()

    def test_what_was_kept_of_a_page_stays_small(self, served: Served) -> None:
        blocks = [PageBlock("水" * 33, ("main", "ul", "li"), True)] * MOST_BLOCKS
        found = PageBlocks(tuple(blocks), is_whole=False)
        served.documents.add(document("blocks"), look(Reader(_content(found))))
        status, body, _ = asked(served.address, "documents/blocks/blocks")
        assert (status, len(body) < LARGEST_PAGE) == (200, True)
        assert asked(served.address, "documents/nowhere/blocks")[0] == 404

    def test_a_page_stays_small(self, served: Served) -> None:
        for number in range(2 * MOST):
            served.documents.add(document(f"n{number}", title="<" * 10_000))
        parts = ["", "page.css"]
        parts += [f"static/{file.name}" for file in (ROOT / "live" / "static").iterdir()]
        size = sum(len(asked(served.address, part)[1]) for part in parts)
        assert size + len(orjson.dumps(told(served))) < LARGEST_PAGE
        text = document("long")
        text.text = "word " * LONGEST_TEXT
        served.documents.add(text)
        status, body, _ = asked(served.address, "documents/long")
        assert (status, len(body) < LARGEST_PAGE) == (200, True)
        assert b"the corpus has all of it" in body
        assert asked(served.address, "documents/n0")[0] == 404


def _blocks(text: str) -> Content:
    kept, dropped = PageBlock(text, ("p",), True), PageBlock(f"{EVIL}{text}", ("nav",), False)
    return _content(PageBlocks((kept, dropped), is_whole=True))


def _content(blocks: PageBlocks) -> Content:
    return Content(text="", extractor="boosted-blocks", blocks=blocks)


class TestViewers:
    def test_all_get_the_same_snapshots_and_are_forgotten_when_they_leave(
        self, served: Served
    ) -> None:
        with ExitStack() as stack:
            viewers = [events(served.address) for _ in range(20)]
            for viewer in viewers:
                stack.callback(viewer.close)  # type: ignore[attr-defined]
            seen = [[next(viewer)["at"] for viewer in viewers] for _ in range(2)]
            assert served.server.broadcast.viewers == 20
            assert len({moment for moments in seen for moment in moments}) < 10
        wait_until(lambda: served.server.broadcast.viewers == 0)

    def test_of_many_who_come_at_once_no_more_are_let_in_than_may(self, served: Served) -> None:
        parts = urlsplit(served.address)
        asking = f"GET /events HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode()
        with ExitStack() as stack:
            burst = [
                stack.enter_context(
                    socket.create_connection((str(parts.hostname), parts.port or 0))
                )
                for _ in range(MOST_VIEWERS + 30)
            ]
            for one in burst:
                one.sendall(asking)
            statuses = Counter(one.recv(12)[-3:] for one in burst)
            assert statuses == {b"200": MOST_VIEWERS, b"503": 30}
        wait_until(lambda: served.server.broadcast.viewers == 0)

    def test_one_who_reads_nothing_keeps_nobody_waiting(self, served: Served) -> None:
        parts = urlsplit(served.address)
        with socket.create_connection((str(parts.hostname), parts.port or 0)) as idle:
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            idle.sendall(f"GET /events HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
            wait_until(lambda: served.server.broadcast.viewers == 1)
            viewer = events(served.address)
            moments = [cast(float, next(viewer)["at"]) for _ in range(3)]
            assert moments[2] - moments[0] < 5
