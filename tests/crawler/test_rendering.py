"""Rendering pages in the real browser: what comes out, within its time, whatever the page does."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from browser_pool import OPTIONS, Browsers, made, rendering, served
from PIL import Image
from playwright.async_api import CDPSession, Error
from scrapy import Spider
from scrapy.core.downloader.handlers import DownloadHandlers
from scrapy.utils.test import get_crawler
from small_web import Web

from corpus_commons.browser import has_browser
from crawler.demo import DemoSite
from crawler.egress import browser_proxy
from crawler.rendering import RenderingOptions, blocklist, rendering_settings, tab
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import RenderingError
from settings import local

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

ROOT = Path(__file__).resolve().parents[2]


def test_scripts_are_run_and_the_top_is_photographed(site: DemoSite) -> None:
    async def work(pool: BrowserPool, _: Browsers) -> None:
        page = served(site, "/odd/script")
        before = len(site.requests())
        rendered = await pool.render(page)
        assert b"<h2" not in page.body
        assert len(rendered.html) > len(page.body)
        assert rendered.html.startswith("<!DOCTYPE html>")
        assert rendered.is_loaded
        with Image.open(io.BytesIO(rendered.screenshot)) as picture:
            assert picture.format == "JPEG"
            assert picture.width == 320
        # The document itself was fetched already; the browser asked for its parts alone.
        asked = [request.path for request in site.requests()[before:]]
        assert asked
        assert "/odd/script" not in asked

    rendering(work)


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
        rendered = await pool.render(page)
        assert "<p>1280,1024,1,1,true</p>" in rendered.html
        with Image.open(io.BytesIO(rendered.screenshot)) as picture:
            assert picture.size == (320, 256)

    rendering(work)


@pytest.mark.parametrize(("height", "seen"), [(1200, 1200), (2000, 1600)])
def test_a_screenshot_is_as_high_as_the_page_up_to_a_limit(
    height: int, seen: int, site: DemoSite
) -> None:
    page = made(site, f"<style>* {{ margin: 0 }} p {{ height: {height}px }}</style><p></p>")

    async def work(pool: BrowserPool, _: Browsers) -> None:
        rendered = await pool.render(page)
        with Image.open(io.BytesIO(rendered.screenshot)) as picture:
            assert picture.height == seen / 4

    rendering(work, replace(OPTIONS, timeout=20, screenshot_height=1600))


@pytest.mark.parametrize("times", [1, 4])
def test_a_screenshot_that_chromium_refuses_is_taken_again(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    send, refused = CDPSession.send, []

    async def refusing(self: CDPSession, method: str, params: dict | None = None) -> dict:
        if method == "Page.captureScreenshot" and len(refused) < times:
            refused.append(method)
            raise Error("Protocol error (Page.captureScreenshot): Unable to capture screenshot")
        return await send(self, method, params)

    monkeypatch.setattr(CDPSession, "send", refusing)

    async def work(pool: BrowserPool, _: Browsers) -> None:
        rendered = await pool.render(served(site, "/"))
        assert Image.open(io.BytesIO(rendered.screenshot)).width > 0

    rendering(work)
    assert len(refused) == times


@pytest.mark.parametrize("scrolled", [0, 500])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_wide_page_is_photographed_from_where_its_lines_begin(
    direction: str, scrolled: int, site: DemoSite
) -> None:
    by = scrolled if direction == "ltr" else -scrolled
    page = made(
        site,
        f"""<style>* {{ margin: 0 }} p {{ width: 1280px; height: 1024px; background: black }}
        div {{ width: 3000px; height: 100px }}</style><p></p><div></div>
        <script>document.dir = "{direction}"; scrollTo({by}, 0)</script>""",
    )

    async def work(pool: BrowserPool, _: Browsers) -> None:
        rendered = await pool.render(page)
        with Image.open(io.BytesIO(rendered.screenshot)) as picture:
            top = picture.convert("L").crop((0, 0, 320, 240))
            assert top.getextrema()[1] < 32

    rendering(work)


def test_nothing_holds_a_page_longer_than_its_time(site: DemoSite) -> None:
    hanging = {
        "a picture that never ends": "kept<iframe src=/odd/endless></iframe>",
        "a script that never ends": "kept<script>setTimeout(() => {while (true);}, 1)</script>",
        "one that holds up the parser": "kept<script>while (true);</script>",
    }
    options = replace(OPTIONS, timeout=4)

    async def work(pool: BrowserPool, _: Browsers) -> None:
        await pool.render(made(site, "the browser is up"))
        for body in hanging.values():
            start = time.monotonic()
            rendered = await pool.render(made(site, body))
            # By itself none of them ends; a busy machine is late to stop one.
            assert time.monotonic() - start < 10 * options.timeout
            assert not rendered.is_loaded
            assert "kept" in rendered.html
            assert rendered.screenshot

    rendering(work, options)


def test_a_dead_host_is_given_up_long_before_the_page_is() -> None:
    assert tab._LOADING * RenderingOptions().timeout / 2 >= browser_proxy._CONNECTING


def test_a_dom_beyond_the_limit_is_refused(site: DemoSite) -> None:
    grows = "<script>for (let i = 0; i < 2e3; i++) document.body.append('too much ')</script>"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        with pytest.raises(RenderingError, match="more than 10,000") as error:
            await pool.render(made(site, grows))
        assert error.value.reason == "render-too-large"
        assert not error.value.is_transient

    rendering(work, replace(OPTIONS, content_size=10_000))


def test_a_page_cannot_leave_open_windows_or_ask(site: DemoSite) -> None:
    leaves = "stays<script>alert(1); open('/about'); location.href = 'http://169.254.169.254/x'"

    async def work(pool: BrowserPool, _: Browsers) -> None:
        before = len(site.requests())
        rendered = await pool.render(made(site, leaves + "</script>"))
        assert rendered.moved_to == "http://169.254.169.254/x"
        assert "stays" in rendered.html
        assert "/about" not in [request.path for request in site.requests()[before:]]

    rendering(work)


def test_page_code_cannot_forge_what_is_read(site: DemoSite) -> None:
    forges = """<form name=documentElement></form><img name=readyState><p>true
    <script>Object.defineProperty(Element.prototype, "outerHTML", {get: () => "forged"});
    MutationObserver = XMLSerializer = setTimeout = null</script>"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        rendered = await pool.render(made(site, forges))
        assert rendered.is_loaded
        assert "<p>true" in rendered.html

    rendering(work)


def test_what_does_not_change_the_layout_is_not_fetched(site: DemoSite) -> None:
    asks = """<style>@font-face {font-family: f; src: url(/f.bin)} p {font-family: f}</style><p>text
    <video src="/clip.mp4?x=1" autoplay muted></video><audio src="/song.mp3" autoplay></audio>
    <video src="/clip" autoplay muted></video><iframe src="/paper.pdf"></iframe>
    <script>fetch("/stream.m3u8")</script>
    <img src="/pictures/harbour.svg">"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        before = len(site.requests())
        await pool.render(made(site, asks))
        asked = [request.path for request in site.requests()[before:]]
        assert asked == ["/pictures/harbour.svg"]

    rendering(work)


def test_pages_that_speculation_rules_name_are_not_fetched(site: DemoSite) -> None:
    """Nobody asked their robots.txt, and they are not in the turn of their host."""
    asks = """<script type=speculationrules>{
        "prerender": [{"urls": ["/about"], "eagerness": "immediate"}],
        "prefetch": [{"urls": ["/zh/"], "eagerness": "immediate"}]}</script>
    <script>const rules = document.createElement("script"); rules.type = "speculationrules";
    rules.text = '{"prefetch": [{"urls": ["/gallery"], "eagerness": "immediate"}]}';
    document.body.append(rules); setInterval(() => document.body.append("busy "), 50)</script>"""

    async def work(pool: BrowserPool, _: Browsers) -> None:
        before = len(site.requests())
        await pool.render(made(site, asks))
        assert [request.path for request in site.requests()[before:]] == []

    rendering(work)


def test_servers_and_scripts_are_told_the_languages_that_are_kept(site: DemoSite) -> None:
    with Web() as web:
        page = made(
            site,
            f"""<p></p><img src="{web.base}/picture"><script>
            document.querySelector("p").textContent = navigator.language</script>""",
        )

        async def work(pool: BrowserPool, _: Browsers) -> None:
            assert "<p>de</p>" in (await pool.render(page)).html

        rendering(work, replace(OPTIONS, accept_language="de, fr;q=0.9"))
    assert web.languages == ["de, fr;q=0.9"]


def test_hosts_of_advertisements_are_not_visited(
    site: DemoSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither they nor their subdomains, not even by way of the proxy."""
    monkeypatch.setattr(blocklist, "_HOSTS", ("localhost",))
    port = site.base.rpartition(":")[2]
    asks = f"""<img src="http://localhost:{port}/about"><img src="http://www.localhost:{port}/about">
    <iframe src="http://localhost:{port}/about"></iframe><img src="/pictures/harbour.svg">"""

    async def work(pool: BrowserPool, browsers: Browsers) -> None:
        before = len(site.requests())
        rendered = await pool.render(made(site, asks))
        assert rendered.is_loaded
        asked = [request.path for request in site.requests()[before:]]
        assert asked == ["/pictures/harbour.svg"]
        assert browsers.proxy.refused == 0

    rendering(work)


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
        await pool.render(made(site, asks))
        asked = {request.path for request in site.requests()[before:]}
        assert asked == ({"/about", "/odd/redirect-private"} if allow_loopback else set())
        assert browsers.proxy.refused >= 4

    rendering(work, replace(OPTIONS, allow_loopback=allow_loopback))


def test_a_crawl_that_renders_fetches_http_and_nothing_else() -> None:
    settings = {name: value for name, value in vars(local).items() if name.isupper()}
    settings |= rendering_settings(RenderingOptions())
    # Other tests of this process may have installed another reactor; nothing runs here.
    crawler = get_crawler(Spider, settings | {"TWISTED_REACTOR": None})
    assert set(DownloadHandlers(crawler)._schemes) == {"http", "https"}


SPIDER = """
import json, os, signal, sys
from dataclasses import replace
import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from crawler.rendering import RenderingOptions, render, rendering_settings

class Spider(scrapy.Spider):
    name = "rendered"
    custom_settings = {
        **rendering_settings(
            RenderingOptions(timeout=8, settle=0.5, allow_loopback=True, user_agent="t")
        ),
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "WARNING",
    }
    async def start(self):
        for path in json.loads(sys.argv[2]):
            yield scrapy.Request(sys.argv[1] + path)
    async def parse(self, response):
        rendered = await render(self.crawler, response)
        asked = response.meta.get("redirect_urls", [response.url])[0].removeprefix(sys.argv[1])
        print(json.dumps({
            "asked": asked, "url": response.url,
            "static": len(response.body), "rendered": len(rendered.html),
            "picture": rendered.screenshot[:2].hex(), "is_loaded": rendered.is_loaded,
        }), flush=True)

process = AsyncCrawlerProcess()
process.crawl(Spider)
process.start()
"""


def test_a_spider_renders_what_it_fetched(site: DemoSite) -> None:
    paths = ["/odd/script", "/odd/redirect/1", "/zh/"]
    command = [sys.executable, "-c", SPIDER, site.base, json.dumps(paths)]
    done = subprocess.run(  # noqa: S603
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == 3, done.stderr[-2000:]
    assert {line["picture"] for line in lines} == {"ffd8"}
    script, redirected, _ = sorted(lines, key=lambda line: paths.index(line["asked"]))
    assert script["rendered"] > 1.5 * script["static"]
    assert redirected["url"].endswith("/articles/fog-signals")
    assert all(line["is_loaded"] for line in lines)
    assert done.returncode == 0
