"""What a page keeps in the browser: it is there while the page is rendered."""

from __future__ import annotations

import pytest
from browser_pool import HTML, Browsers, rendering
from small_web import Web

from corpus_commons.browser import has_browser
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import ServedPage

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")


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
