"""What a page keeps in the browser: it is there while the page is rendered, and not after that."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from browser_pool import HTML, OPTIONS, Browsers, rendering
from playwright.async_api import CDPSession
from small_web import Web

from corpus_commons.browser import has_browser
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import RenderedPage, ServedPage

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

SCRIPT = {"Content-Type": "text/javascript", "Cache-Control": "max-age=600"}
# The next page must not find what this one stores when it hears that it is left.
COUNTS = """<p id=root></p><script>
for (const name of ['beforeunload', 'pageswap', 'pagehide', 'visibilitychange', 'unload'])
    addEventListener(name, () => document.cookie = `seen=${localStorage.seen = 9}`);
const cookie = 'seen=' + (Number(document.cookie.slice(5)) + 1);
document.cookie = cookie;
for (const place of [localStorage, sessionStorage]) place.seen = Number(place.seen ?? 0) + 1;
window.name += 'i';
const opening = indexedDB.open('seen', 1);
let state = 'old';
opening.onupgradeneeded = () => state = 'new';
opening.onsuccess = () => root.textContent = [document.cookie, localStorage.seen,
    sessionStorage.seen, window.name, state]
</script>"""
FIRST_VISIT = '<p id="root">seen=1,1,1,i,new</p>'


def page(url: str, body: str, *headers: tuple[str, str]) -> ServedPage:
    return ServedPage(url, 200, (*HTML, *headers), f"<!doctype html>{body}".encode())


def test_the_cookies_that_came_with_a_page_are_sent_when_it_asks(web: Web) -> None:
    web.answers["/answer"] = (200, {}, "")
    asks = "<p id=root></p><script>fetch('/answer').then(() => root.append('answered'))</script>"
    cookies = ("set-cookie", "session=1; HttpOnly"), ("set-cookie", "token=2")

    async def work(pool: BrowserPool, _: Browsers) -> None:
        rendered = await pool.render(page(f"{web.base}/", asks, *cookies))
        assert "answered" in rendered.html

    rendering(work)
    assert web.cookies == ["session=1; token=2"]


@pytest.mark.parametrize("concurrency", [1, 3])
def test_every_page_is_the_first_of_its_visitor(web: Web, concurrency: int) -> None:
    pages = [page(f"{web.base}/{number}", COUNTS) for number in range(6)]
    rendered: list[RenderedPage] = []

    async def work(pool: BrowserPool, _: Browsers) -> None:
        rendered.extend(await asyncio.gather(*map(pool.render, pages)))

    done = rendering(work, replace(OPTIONS, concurrency=concurrency))
    assert all(FIRST_VISIT in one.html for one in rendered)
    assert done.statistics["rendering/contexts"] == concurrency


def test_a_page_that_goes_to_the_next_one_while_storage_is_cleared_does_not_take_its_response(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = CDPSession.send

    async def send_after_page_asks(
        session: CDPSession, method: str, params: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        if method == "Storage.clearDataForOrigin":
            asked = asyncio.Event()
            session.once("Fetch.requestPaused", lambda _: asked.set())
            await send(session, "Runtime.evaluate", {"expression": "location = '/next'"})
            await asked.wait()
        return await send(session, method, params)

    async def work(pool: BrowserPool, _: Browsers) -> None:
        await pool.render(page(f"{web.base}/", "<p>before"))
        monkeypatch.setattr(CDPSession, "send", send_after_page_asks)
        rendered = await pool.render(page(f"{web.base}/next", "<p>here"))
        assert "<p>here" in rendered.html
        assert rendered.moved_to is None

    rendering(work, replace(OPTIONS, concurrency=1))


def test_files_of_a_host_are_fetched_once(web: Web) -> None:
    """Whatever pages of other hosts come between."""
    web.answers["/app.js"] = (200, SCRIPT, "root.append('app')")
    hosts = [web.base, web.base.replace("127.0.0.1", "localhost")]
    pages = [page(f"{host}/", "<p id=root></p><script src=/app.js></script>") for host in hosts]

    async def work(pool: BrowserPool, _: Browsers) -> None:
        await asyncio.gather(*map(pool.render, pages))
        for one in pages:
            assert "app" in (await pool.render(one)).html

    rendering(work)
    assert web.asked == ["/app.js"] * 2
