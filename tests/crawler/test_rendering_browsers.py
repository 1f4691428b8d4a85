"""Tabs that are used again, and tabs, contexts, browsers and drivers that die or are used up."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser_pool import OPTIONS, Browsers, made, provider, rendering, served
from PIL import Image
from playwright.async_api import Browser, BrowserContext, Error, Page
from process_state import is_alive

from corpus_commons.browser import has_browser
from crawler.demo import DemoSite
from crawler.rendering import tab
from crawler.rendering.browser_process import Context
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import RenderedPage, RenderingError, ServedPage

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")


def test_a_page_that_takes_its_process_down_is_the_only_one(site: DemoSite) -> None:
    greedy = made(site, "<script>for (let a = [];;) a.push(new Array(1e6).fill(0.1))</script>")

    async def work(pool: BrowserPool, _: Browsers) -> None:
        other = asyncio.ensure_future(pool.render(served(site, "/about")))
        with pytest.raises(RenderingError, match=r"render-(crashed|timeout)"):
            await pool.render(greedy)
        assert (await other).is_loaded
        assert (await pool.render(served(site, "/about"))).is_loaded

    done = rendering(work, replace(OPTIONS, timeout=15))
    assert done.statistics["rendering/browsers"] == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound a process so")
def test_memory_beside_the_heap_of_scripts_is_bounded(site: DemoSite) -> None:
    greedy = """<script>
    try { for (window.kept = []; kept.length < 48;) kept.push(new Uint8Array(2 ** 26).fill(1)) }
    catch (error) { document.body.append(`taken: ${kept.length} of 48`) }
    </script>"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        other = asyncio.ensure_future(pool.render(served(site, "/about")))
        rendered = await pool.render(made(site, greedy))
        assert re.search(r"taken: \d+ of 48", rendered.html)
        assert (await other).is_loaded

    done = rendering(work, replace(OPTIONS, timeout=15))
    assert done.statistics["rendering/browsers"] == 1


@pytest.mark.parametrize(
    "message", ["console.log(text)", "setTimeout(() => {throw text})", "Promise.reject(text)"]
)
def test_a_page_that_floods_the_console_does_not_hold_up_others(
    site: DemoSite, message: str
) -> None:
    floods = f"""<p>kept<script>const text = "x".repeat(20_000);
    const flood = () => {{ for (let i = 0; i < 500; i++) {message}; setTimeout(flood, 0) }};
    flood()</script>"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        pages = [made(site, floods), made(site, floods), served(site, "/about")]
        rendered = await asyncio.gather(*map(pool.render, pages))
        assert "<p>kept" in rendered[0].html
        assert rendered[2].is_loaded

    rendering(work)


def test_a_page_that_crashes_when_it_was_rendered_takes_none_with_it(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab, "_IDLE_SECONDS", 60)
    greedy_later = """<p>text<script>setTimeout(() => {
        for (const kept = [];;) kept.push(new Array(1e6).fill(kept.length)) }, 800)</script>"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        crashed = asyncio.Event()
        on_crash = tab.Tab._on_crash

        def told(self: tab.Tab, page: Page) -> None:
            on_crash(self, page)
            crashed.set()

        monkeypatch.setattr(tab.Tab, "_on_crash", told)
        assert (await pool.render(made(site, greedy_later))).is_loaded
        async with asyncio.timeout(30):
            await crashed.wait()
        assert (await pool.render(served(site, "/about"))).is_loaded

    done = rendering(work, replace(OPTIONS, concurrency=1))
    assert done.statistics["rendering/browsers"] == 1
    assert done.statistics["rendering/render-crashed"] == 0


def test_a_page_is_left_when_no_other_comes(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab, "_IDLE_SECONDS", 0.1)
    restless = "<p>text<script>setInterval(() => fetch('/about?tick'), 50)</script>"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        await pool.render(made(site, restless))
        await asyncio.sleep(1)
        asked = len(site.requests())
        await asyncio.sleep(0.5)
        assert len(site.requests()) == asked
        assert (await pool.render(made(site, "<p>text"))).is_loaded

    rendering(work)


def test_a_browser_that_is_killed_loses_no_page(site: DemoSite) -> None:
    slow = made(site, "<p>here<img src=/odd/slow>")

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await pool.render(served(site, "/about"))
        pages = [asyncio.ensure_future(pool.render(slow)) for _ in range(3)]
        await asyncio.sleep(0.5)
        os.kill(browsers.processes[0], signal.SIGKILL)
        rendered = await asyncio.gather(*pages)
        assert all("<p>here" in page.html for page in rendered)

    done = rendering(work)
    assert len(done.processes) == 2


def test_a_browser_that_hangs_is_replaced(site: DemoSite) -> None:
    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await pool.render(served(site, "/about"))
        os.kill(browsers.processes[0], signal.SIGSTOP)
        with pytest.raises(RenderingError, match="render-timeout"):
            await pool.render(served(site, "/about"))
        assert (await pool.render(served(site, "/about"))).is_loaded
        assert not is_alive(browsers.processes[0])

    rendering(work, replace(OPTIONS, timeout=2))


@pytest.mark.parametrize(
    ("where", "what"),
    [(Browser, "new_browser_cdp_session"), (Browser, "new_context"), (BrowserContext, "new_page")],
)
def test_a_browser_that_opens_nothing_is_replaced(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch, where: type, what: str
) -> None:
    opened = getattr(where, what)

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        async def refused_once(*given: object, **options: object) -> object:
            if browsers.processes:
                monkeypatch.undo()
                raise Error("refused")
            return await opened(*given, **options)

        monkeypatch.setattr(where, what, refused_once)
        assert (await pool.render(served(site, "/about"))).is_loaded
        first, second = browsers.processes
        assert not is_alive(first)
        assert is_alive(second)

    rendering(work)


def test_eight_tabs_keep_their_time_and_their_pages_when_the_browser_dies(site: DemoSite) -> None:
    """Under load, among pages without an end."""
    options = replace(OPTIONS, timeout=12, concurrency=8)
    endless = made(site, "kept<iframe src=/odd/endless></iframe><script>while (true);</script>")
    others = ["/about", "/zh/", "/gallery", "/shop/", "/docs/", "/odd/script", "/forum/"]
    longest = 0.0

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        async def render(page: ServedPage) -> RenderedPage:
            nonlocal longest
            rendered = await pool.render(page)
            longest = max(longest, rendered.seconds + rendered.screenshot_seconds)
            return rendered

        await render(served(site, "/about"))
        pages = [endless, *(served(site, path) for path in others)] * 2
        rendering = [asyncio.ensure_future(render(page)) for page in pages]
        await asyncio.wait(rendering, return_when=asyncio.FIRST_COMPLETED)
        os.kill(browsers.processes[0], signal.SIGKILL)
        rendered = await asyncio.gather(*rendering)
        assert all(one.screenshot for one in rendered)
        hung = [one for page, one in zip(pages, rendered, strict=True) if page is endless]
        assert all("kept" in one.html and not one.is_loaded for one in hung)

    done = rendering(work, options)
    assert longest < options.timeout + 1
    assert len(done.processes) == 2
    assert not any(map(is_alive, done.processes))


def test_pages_leave_no_worlds_of_scripts_behind_in_their_tab(site: DemoSite) -> None:
    async def worlds(browser: Browser, pages: int) -> int:
        context = await browser.new_context()
        its = await tab.Tab.open(context, OPTIONS)
        for number in range(pages):
            await its.render(made(site, f"<p>{number}"))
        session = await context.new_cdp_session(context.pages[0])
        found = 0

        def note(_: dict[str, Any]) -> None:
            nonlocal found
            found += 1

        session.on("Runtime.executionContextCreated", note)
        await session.send("Runtime.enable")
        return found

    async def run() -> None:
        async with provider() as browsers:
            browser = await browsers.launch_browser()
            assert await worlds(browser, pages=5) == await worlds(browser, pages=1) > 0

    asyncio.run(run())


@pytest.mark.parametrize("is_idle", [True, False])
def test_a_script_that_does_not_end_after_its_page_is_stopped(
    site: DemoSite, is_idle: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab, "_STUCK", 0.5)
    begin, ask = ({"expression": text} for text in ("setInterval(() => {for (;;);})", "0"))

    async def run() -> None:
        async with provider() as browsers:
            browser = await browsers.launch_browser()
            context = await browser.new_context()
            await context.add_init_script(tab.INITIAL)
            its = await tab.Tab.open(context, OPTIONS)
            assert (await its.render(made(site, "<p>first"))).is_loaded
            session = await context.new_cdp_session(context.pages[0])
            await session.send("Runtime.evaluate", begin)
            waiting = asyncio.ensure_future(session.send("Runtime.evaluate", ask))
            assert (await asyncio.wait({waiting}, timeout=1))[1] == {waiting}
            if is_idle:
                await its.blank()
                assert (await session.send("Runtime.evaluate", ask))["result"]["value"] == 0
            second = await its.render(made(site, "<p>second"))
            assert (second.is_loaded, "<p>second" in second.html) == (True, True)
            waiting.cancel()

    asyncio.run(run())


def test_a_script_that_does_not_end_in_the_screenshot_is_stopped(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab, "_STUCK", 0.5)
    tall = "<p style='height: 3000px'>tall"
    # Chromium makes the window as tall as the picture.
    endless = "<script>onresize = () => {for (;;);}</script>"

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        rendered = await pool.render(made(site, tall + endless))
        with Image.open(io.BytesIO(rendered.screenshot)) as picture:
            assert picture.height >= 3000 * OPTIONS.screenshot_scale
        assert "tall" in rendered.html

    rendering(work)


def test_a_context_whose_tab_refuses_to_close_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(_: Page) -> None:
        raise Error("refused")

    async def run() -> None:
        async with provider() as browsers:
            browser = await browsers.launch_browser()
            opened = await browser.new_context()
            context = Context(opened, await tab.Tab.open(opened, OPTIONS))
            monkeypatch.setattr(Page, "close", refused)
            await context.close()
            assert not browser.contexts

    asyncio.run(run())


def test_no_feature_that_playwright_turns_on_is_turned_off(site: DemoSite) -> None:
    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await pool.render(served(site, "/about"))
        command = Path(f"/proc/{browsers.processes[0]}/cmdline").read_bytes().decode()
        # Of switches that are given twice, the last one counts.
        its, ours = re.findall(r"--enable-features=([^\0]*)", command)
        assert set(its.split(",")) < set(ours.split(","))

    rendering(work)


def test_contexts_and_browsers_are_used_up(site: DemoSite) -> None:
    page = made(site, "<p>one of many")

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await asyncio.gather(*(pool.render(page) for _ in range(12)))

    options = replace(OPTIONS, concurrency=1, pages_per_context=3, pages_per_browser=6)
    done = rendering(work, options)
    assert done.statistics["rendering/browsers"] == 2
    assert done.statistics["rendering/contexts"] == 4
    assert not any(map(is_alive, done.processes))
