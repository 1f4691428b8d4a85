"""Pages that leave their document, or want to, and the next one of their tab."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import Any

import pytest
from browser_pool import HTML, OPTIONS, Browsers, made, rendering, served
from playwright.async_api import CDPSession

from corpus_commons.browser import has_browser
from crawler.demo import DemoSite
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import RenderingError, ServedPage

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")


@pytest.mark.parametrize(
    "place",
    [
        "URL.createObjectURL(new Blob(['elsewhere'], {type: 'text/html'}))",
        "'about:blank'",
        "'about:srcdoc'",
        "`javascript:'elsewhere'`",
        "'data:text/html,elsewhere'",
    ],
)
def test_a_page_that_leaves_its_document_is_the_only_one(site: DemoSite, place: str) -> None:
    leaves = f"<script>setTimeout(() => location = {place}, 100)</script>"

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        other = asyncio.ensure_future(pool.render(served(site, "/odd/slow")))
        # Whether there is something left to be read is a matter of a moment.
        with contextlib.suppress(RenderingError):
            await pool.render(made(site, leaves))
        assert (await other).is_loaded
        assert (await pool.render(served(site, "/about"))).is_loaded
        assert browsers.statistics["rendering/browser_lost"] == 0

    done = rendering(work)
    assert done.statistics["rendering/browsers"] == 1


@pytest.mark.parametrize("change", ["location.hash = i", "history.replaceState(0, '', `?${i}`)"])
def test_a_page_that_changes_its_url_without_end_holds_up_no_other(
    site: DemoSite, change: str
) -> None:
    floods = f"setInterval(() => {{ for (let i = 0; i < 500; i++) {change} }})"
    bodies = [f"<p>kept<script>{floods}</script>", *["<p>kept"] * 5]

    async def work(pool: BrowserPool, _: Browsers) -> None:
        rendered = await asyncio.gather(*(pool.render(made(site, body)) for body in bodies))
        assert all("<p>kept" in page.html for page in rendered)

    done = rendering(work, replace(OPTIONS, timeout=10, concurrency=3))
    assert done.statistics["rendering/browsers"] == 1


def test_a_page_that_wants_to_go_elsewhere_does_not_stand_in_for_the_next(site: DemoSite) -> None:
    """The next page takes its place in the tab, however often the first one asks meanwhile."""
    ask = "setInterval(() => location.href = '/elsewhere', 1)"
    asks = f"<p>first<script>{ask}</script>"
    # A page that says so much does not wait for what comes later.
    asks_later = f"<p>{'first ' * 60}<script>setTimeout(() => {ask}, 600)</script>"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        for number in range(6):
            first = await pool.render(made(site, asks_later if number else asks))
            assert first.moved_to == (None if number else site.base + "/elsewhere")
            await asyncio.sleep(0.1 * number)
            page = ServedPage(f"{site.base}/next?{number}", 200, HTML, b"<!doctype html><p>second")
            second = await pool.render(page)
            assert "<p>second" in second.html
            assert second.moved_to is None

    rendering(work, replace(OPTIONS, concurrency=1))


@pytest.mark.parametrize("answer", [{"loaderId": "2"}, {"errorText": "net::ERR_ABORTED"}])
@pytest.mark.parametrize("dropped", [1, 99])
def test_a_navigation_that_is_dropped_is_begun_again(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch, dropped: int, answer: dict[str, str]
) -> None:
    """As Chromium does, now and then, when the page before begins one at that moment."""
    send, left = CDPSession.send, dropped

    async def drop(self: CDPSession, command: str, call: dict[str, Any] | None = None) -> Any:
        nonlocal left
        if command == "Page.navigate" and call and call["url"].endswith("/about") and left:
            left -= 1
            return {"frameId": "1", **answer}
        return await send(self, command, call)

    monkeypatch.setattr(CDPSession, "send", drop)

    async def work(pool: BrowserPool, _: Browsers) -> None:
        await pool.render(made(site, "<p>first"))
        if dropped == 1:
            assert "<p>first" not in (await pool.render(served(site, "/about"))).html
        else:
            with pytest.raises(RenderingError, match="does not replace the page before"):
                await pool.render(served(site, "/about"))

    rendering(work, replace(OPTIONS, concurrency=1))


@pytest.mark.parametrize(
    "path",
    [
        "/a|b^c`d",
        "/a/../b/./c",
        "/%41%7e%2e/",
        "/q?a='b'&c=|d|",
        "/\xfc/\u4e2d",
        "/a%2Fb%C3%BC",
        "/a#b",
        "",
    ],
)
def test_any_spelling_of_a_url_is_rendered(site: DemoSite, path: str) -> None:
    """Chromium writes some in its own way, and then asks for another URL than was served."""

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await pool.render(made(site, "<p>before"))
        rendered = await pool.render(
            ServedPage(site.base + path, 200, HTML, b"<!doctype html><p>here")
        )
        assert "<p>here" in rendered.html
        assert browsers.statistics["rendering/pages"] == 2

    rendering(work, replace(OPTIONS, concurrency=1))
