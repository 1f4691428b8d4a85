"""Drawing pages in the real browser: what comes out, within its time, whatever the page does."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar
from urllib.request import urlopen

import pytest
from PIL import Image
from playwright.async_api import async_playwright

from browser import has_browser
from crawler.demo import DemoSite, Timings, demo_site
from crawler.egress import AddressPolicy
from crawler.rendering import tab, unneeded
from crawler.rendering.browser import launch_options
from crawler.rendering.drawing import Drawn, Served
from crawler.rendering.errors import RenderingError
from crawler.rendering.options import Options
from crawler.rendering.pool import BrowserPool
from crawler.rendering.provider import GuardedBrowser
from crawler.rendering.proxy import EgressProxy

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

ROOT = Path(__file__).resolve().parents[2]
HTML = (("content-type", "text/html; charset=utf-8"),)
OPTIONS = Options(timeout=5, settle=0.5, user_agent="tests/1", allow_loopback=True)


class Statistics(Counter[str]):
    def inc_value(self, key: str, count: int = 1, start: int = 0) -> None:
        self[key] += count


class Browsers:
    """A pool behind the proxy, as a crawl has it."""

    def __init__(self, options: Options, proxy: EgressProxy, statistics: Statistics) -> None:
        self.options = options
        self.proxy = proxy
        self.statistics = statistics
        self.processes: list[int] = []

    @contextlib.asynccontextmanager
    async def pool(self) -> AsyncIterator[BrowserPool]:
        async with async_playwright() as playwright:

            async def launch():  # type: ignore[no-untyped-def]
                browser = await playwright.chromium.launch(**launch_options(self.proxy.url))
                session = await browser.new_browser_cdp_session()
                found = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
                self.processes += [item["id"] for item in found if item["type"] == "browser"]
                return browser

            pool = BrowserPool(launch, self.options, self.statistics)
            try:
                yield pool
            finally:
                await pool.close()


def drawing(
    work: Callable[[BrowserPool, Browsers], Awaitable[None]], options: Options = OPTIONS
) -> Browsers:
    """Run ``work`` with a pool; what the pool did comes back."""

    async def run() -> Browsers:
        async with EgressProxy(AddressPolicy(loopback=options.allow_loopback)) as proxy:
            browsers = Browsers(options, proxy, Statistics())
            async with browsers.pool() as pool:
                await work(pool, browsers)
            return browsers

    return asyncio.run(run())


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    with demo_site(timings=Timings(slow=1.0)) as running:
        yield running


def served(site: DemoSite, path: str) -> Served:
    with urlopen(site.base + path) as answer:  # noqa: S310
        return Served(site.base + path, 200, HTML, answer.read())


def made(site: DemoSite, body: str) -> Served:
    return Served(site.base + "/made", 200, HTML, f"<!doctype html><body>{body}".encode())


def test_scripts_are_run_and_the_top_is_photographed(site: DemoSite) -> None:
    async def work(pool: BrowserPool, _: Browsers) -> None:
        page = served(site, "/odd/script")
        before = len(site.requests())
        drawn = await pool.draw(page)
        assert b"<h2" not in page.body
        assert len(drawn.html) > len(page.body)
        assert drawn.html.startswith("<!DOCTYPE html>")
        assert drawn.is_loaded
        with Image.open(io.BytesIO(drawn.screenshot)) as picture:
            assert picture.format == "JPEG"
            assert picture.width == 320
            assert picture.height == pytest.approx(min(drawn.height, 3840) / 4, abs=1)
        # The document itself was fetched already; the browser asked for its parts alone.
        asked = [request.path for request in site.requests()[before:]]
        assert asked
        assert "/odd/script" not in asked

    drawing(work)


def test_a_small_screenshot_does_not_make_a_small_screen(site: DemoSite) -> None:
    """Media queries, thin borders and scripts see what a visitor's browser shows them."""
    page = made(
        site,
        """<div id=thin style="border-top: 1px solid"></div><p>
        <script>document.querySelector("p").textContent = [innerWidth, innerHeight,
        devicePixelRatio, thin.offsetHeight, matchMedia("(min-resolution: 1dppx)").matches]
        </script>""",
    )

    async def work(pool: BrowserPool, _: Browsers) -> None:
        drawn = await pool.draw(page)
        assert "<p>1280,1024,1,1,true</p>" in drawn.html
        with Image.open(io.BytesIO(drawn.screenshot)) as picture:
            assert picture.size == (320, 256)

    drawing(work)


def test_nothing_holds_a_page_longer_than_its_time(site: DemoSite) -> None:
    hanging = {
        "a picture that never ends": "kept<iframe src=/odd/endless></iframe>",
        "a script that never ends": "kept<script>setTimeout(() => {while (true);}, 1)</script>",
        "one that holds up the parser": "kept<script>while (true);</script>",
    }
    options = replace(OPTIONS, timeout=2.5)

    async def work(pool: BrowserPool, _: Browsers) -> None:
        await pool.draw(made(site, "the browser is up"))
        for body in hanging.values():
            start = time.monotonic()
            drawn = await pool.draw(made(site, body))
            assert time.monotonic() - start < options.timeout + 1
            assert not drawn.is_loaded
            assert "kept" in drawn.html
            assert drawn.screenshot

    drawing(work, options)


def test_a_page_that_takes_its_process_down_is_the_only_one(site: DemoSite) -> None:
    greedy = made(site, "<script>for (let a = [];;) a.push(new Array(1e6).fill(0.1))</script>")

    async def work(pool: BrowserPool, _: Browsers) -> None:
        other = asyncio.ensure_future(pool.draw(served(site, "/about")))
        with pytest.raises(RenderingError, match=r"render-(crashed|timeout)"):
            await pool.draw(greedy)
        assert (await other).is_loaded
        assert (await pool.draw(served(site, "/about"))).is_loaded

    done = drawing(work, replace(OPTIONS, timeout=15))
    assert done.statistics["rendering/browsers"] == 1


def test_a_page_that_crashes_when_it_was_drawn_takes_none_with_it(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab, "_PATIENCE", 60)
    greedy_later = """<p>text<script>setTimeout(() => {
        for (const kept = [];;) kept.push(new Array(1e6).fill(kept.length)) }, 800)</script>"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        assert (await pool.draw(made(site, greedy_later))).is_loaded
        await asyncio.sleep(6)
        assert (await pool.draw(served(site, "/about"))).is_loaded

    done = drawing(work, replace(OPTIONS, concurrency=1))
    assert done.statistics["rendering/browsers"] == 1
    assert done.statistics["rendering/render-crashed"] == 0


def test_a_dom_beyond_the_limit_is_refused(site: DemoSite) -> None:
    grows = "<script>for (let i = 0; i < 2e3; i++) document.body.append('too much ')</script>"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        with pytest.raises(RenderingError, match="more than 10,000") as error:
            await pool.draw(made(site, grows))
        assert error.value.reason == "render-too-large"
        assert not error.value.is_passing

    drawing(work, replace(OPTIONS, content_size=10_000))


def test_a_page_cannot_leave_open_windows_or_ask(site: DemoSite) -> None:
    leaves = "stays<script>alert(1); open('/about'); location.href = 'http://169.254.169.254/x'"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        before = len(site.requests())
        drawn = await pool.draw(made(site, leaves + "</script>"))
        assert drawn.moved_to == "http://169.254.169.254/x"
        assert "stays" in drawn.html
        assert "/about" not in [request.path for request in site.requests()[before:]]

    drawing(work)


def test_page_code_cannot_forge_what_is_read(site: DemoSite) -> None:
    forges = """<form name=documentElement></form><img name=readyState><p>true
    <script>Object.defineProperty(Element.prototype, "outerHTML", {get: () => "forged"});
    MutationObserver = XMLSerializer = setTimeout = null</script>"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        drawn = await pool.draw(made(site, forges))
        assert drawn.is_loaded
        assert "<p>true" in drawn.html

    drawing(work)


def test_what_does_not_change_the_layout_is_not_fetched(site: DemoSite) -> None:
    asks = """<style>@font-face {font-family: f; src: url(/f.bin)} p {font-family: f}</style><p>text
    <video src="/clip.mp4?x=1" autoplay muted></video><audio src="/song.mp3" autoplay></audio>
    <video src="/clip" autoplay muted></video><iframe src="/paper.pdf"></iframe>
    <script>fetch("/stream.m3u8")</script>
    <img src="/pictures/harbour.svg">"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        before = len(site.requests())
        await pool.draw(made(site, asks))
        asked = [request.path for request in site.requests()[before:]]
        assert asked == ["/pictures/harbour.svg"]

    drawing(work)


def test_a_page_that_wants_to_go_elsewhere_does_not_stand_in_for_the_next(site: DemoSite) -> None:
    """The next page takes its place in the tab, however often the first one asks meanwhile."""
    ask = "setInterval(() => location.href = '/elsewhere', 1)"
    asks = f"<p>first<script>{ask}</script>"
    asks_later = f"<p>first<script>setTimeout(() => {ask}, 600)</script>"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        for number in range(6):
            first = await pool.draw(made(site, asks_later if number else asks))
            assert first.moved_to == (None if number else site.base + "/elsewhere")
            await asyncio.sleep(0.1 * number)
            page = Served(f"{site.base}/next?{number}", 200, HTML, b"<!doctype html><p>second")
            second = await pool.draw(page)
            assert "<p>second" in second.html
            assert second.moved_to is None

    drawing(work, replace(OPTIONS, concurrency=1))


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
def test_any_spelling_of_a_url_is_drawn(site: DemoSite, path: str) -> None:
    """Chromium writes some in its own way, and then asks for another URL than was served."""

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await pool.draw(made(site, "<p>before"))
        drawn = await pool.draw(Served(site.base + path, 200, HTML, b"<!doctype html><p>here"))
        assert "<p>here" in drawn.html
        assert browsers.statistics["rendering/pages"] == 2

    drawing(work, replace(OPTIONS, concurrency=1))


def test_a_page_is_left_when_no_other_comes(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab, "_PATIENCE", 0.1)
    restless = "<p>text<script>setInterval(() => fetch('/about?tick'), 50)</script>"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        await pool.draw(made(site, restless))
        await asyncio.sleep(1)
        asked = len(site.requests())
        await asyncio.sleep(0.5)
        assert len(site.requests()) == asked
        assert (await pool.draw(made(site, "<p>text"))).is_loaded

    drawing(work)


def test_hosts_of_advertisements_are_not_visited(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither they nor their subdomains, not even by way of the proxy."""
    monkeypatch.setattr(unneeded, "_HOSTS", ("localhost",))
    port = site.base.rpartition(":")[2]
    asks = f"""<img src="http://localhost:{port}/about"><img src="http://www.localhost:{port}/about">
    <iframe src="http://localhost:{port}/about"></iframe><img src="/pictures/harbour.svg">"""

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        before = len(site.requests())
        drawn = await pool.draw(made(site, asks))
        assert drawn.is_loaded
        asked = [request.path for request in site.requests()[before:]]
        assert asked == ["/pictures/harbour.svg"]
        assert browsers.proxy.refused == 0

    drawing(work)


@pytest.mark.parametrize("allow_loopback", [False, True])
def test_private_addresses_are_not_reached(site: DemoSite, *, allow_loopback: bool) -> None:
    """By number, by name, in a frame, and after a redirect of a page that may be visited."""
    port = site.base.rpartition(":")[2]
    asks = f"""<img src="http://10.1.2.3/"><img src="http://localhost:{port}/about">
    <iframe src="http://169.254.169.254/latest/"></iframe>
    <img src="http://[::ffff:192.168.0.1]/">
    <img src="{site.base}/odd/redirect-private">"""

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        before = len(site.requests())
        await pool.draw(made(site, asks))
        asked = {request.path for request in site.requests()[before:]}
        assert asked == ({"/about", "/odd/redirect-private"} if allow_loopback else set())
        assert browsers.proxy.refused >= 4

    drawing(work, replace(OPTIONS, allow_loopback=allow_loopback))


def test_a_browser_that_is_killed_loses_no_page(site: DemoSite) -> None:
    slow = made(site, "<p>here<img src=/odd/slow>")

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await pool.draw(served(site, "/about"))
        pages = [asyncio.ensure_future(pool.draw(slow)) for _ in range(3)]
        await asyncio.sleep(0.5)
        os.kill(browsers.processes[0], signal.SIGKILL)
        drawn = await asyncio.gather(*pages)
        assert all("<p>here" in page.html for page in drawn)

    done = drawing(work)
    assert len(done.processes) == 2


def test_a_browser_that_hangs_is_replaced(site: DemoSite) -> None:
    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await pool.draw(served(site, "/about"))
        os.kill(browsers.processes[0], signal.SIGSTOP)
        with pytest.raises(RenderingError, match="render-timeout"):
            await pool.draw(served(site, "/about"))
        assert (await pool.draw(served(site, "/about"))).is_loaded
        assert not is_alive(browsers.processes[0])

    drawing(work, replace(OPTIONS, timeout=2))


def test_eight_tabs_keep_their_time_and_their_pages_when_the_browser_dies(site: DemoSite) -> None:
    """Under load, among pages without an end."""
    options = replace(OPTIONS, timeout=12, concurrency=8)
    endless = made(site, "kept<iframe src=/odd/endless></iframe><script>while (true);</script>")
    others = ["/about", "/zh/", "/gallery", "/shop/", "/docs/", "/odd/script", "/forum/"]
    longest = 0.0

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        async def draw(page: Served) -> Drawn:
            nonlocal longest
            drawn = await pool.draw(page)
            longest = max(longest, drawn.seconds + drawn.screenshot_seconds)
            return drawn

        await draw(served(site, "/about"))
        pages = [endless, *(served(site, path) for path in others)] * 2
        drawing = [asyncio.ensure_future(draw(page)) for page in pages]
        await asyncio.wait(drawing, return_when=asyncio.FIRST_COMPLETED)
        os.kill(browsers.processes[0], signal.SIGKILL)
        drawn = await asyncio.gather(*drawing)
        assert all(one.screenshot for one in drawn)
        hung = [one for page, one in zip(pages, drawn, strict=True) if page is endless]
        assert all("kept" in one.html and not one.is_loaded for one in hung)

    done = drawing(work, options)
    assert longest < options.timeout + 1
    assert len(done.processes) == 2
    assert not any(map(is_alive, done.processes))


def test_a_driver_that_dies_is_started_again(site: DemoSite) -> None:
    class Config:
        launch_options: ClassVar[dict[str, object]] = {}

    async def run() -> None:
        provider = GuardedBrowser(Config())
        await provider.start()
        pool = BrowserPool(provider.launch_browser, OPTIONS)
        await pool.draw(served(site, "/about"))
        for child in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split():
            if "run-driver" in Path(f"/proc/{child}/cmdline").read_text():
                os.kill(int(child), signal.SIGKILL)
        assert "<p>text" in (await pool.draw(made(site, "<p>text"))).html
        await pool.close()
        await provider.close()

    asyncio.run(run())


def is_alive(process: int) -> bool:
    """Whether it runs; a zombie that waits for its parent does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def test_contexts_and_browsers_are_used_up(site: DemoSite) -> None:
    page = made(site, "<p>one of many")

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        await asyncio.gather(*(pool.draw(page) for _ in range(12)))

    done = drawing(work, replace(OPTIONS, pages_per_context=3, pages_per_browser=6))
    assert done.statistics["rendering/browsers"] == 2
    assert done.statistics["rendering/contexts"] == 4
    assert not any(map(is_alive, done.processes))


SPIDER = """
import json, os, signal, sys
from dataclasses import replace
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from crawler.frontier.base import Lease
from crawler.rendering import Options, RenderingError, draw, page_of, rendering_settings

class Spider(scrapy.Spider):
    name = "drawn"
    custom_settings = {
        **rendering_settings(Options(timeout=8, settle=0.5, allow_loopback=True, user_agent="t")),
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "WARNING",
    }
    async def start(self):
        for path in json.loads(sys.argv[2]):
            yield scrapy.Request(sys.argv[1] + path)
    async def parse(self, response):
        drawn = await draw(self.crawler, response)
        page = page_of(response, Lease(response.url, "h", 0, 0, 1, 1, 0.0), drawn)
        print(json.dumps({
            "url": page.url, "static": len(page.html), "drawn": len(page.rendered_html),
            "picture": page.screenshot[:2].hex(), "redirects": page.redirects,
            "charset": page.charset, "seconds": page.timings.render,
        }), flush=True)

process = AsyncCrawlerProcess()
process.crawl(Spider)
process.start()
"""


def test_a_spider_draws_what_it_fetched(site: DemoSite) -> None:
    paths = ["/odd/script", "/odd/redirect/1", "/zh/"]
    command = [sys.executable, "-c", SPIDER, site.base, json.dumps(paths)]
    done = subprocess.run(  # noqa: S603
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 3, done.stderr[-2000:]
    assert {line["picture"] for line in lines} == {"ffd8"}
    redirected = next(line for line in lines if line["redirects"])
    assert redirected["url"].endswith("/articles/fog-signals")
    assert redirected["redirects"][0].endswith("/odd/redirect/1")
    assert done.returncode == 0
