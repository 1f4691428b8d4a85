"""Playwright's driver, which starts when a browser is first asked for, may die or not start."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from browser_pool import HTML, OPTIONS, made, provider, served

from corpus_commons.browser import has_browser
from crawler.demo import DemoSite
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import NoBrowserError, ServedPage


@pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")
def test_a_driver_that_dies_is_started_again(site: DemoSite) -> None:
    async def render_twice(pool: BrowserPool) -> None:
        await pool.render(served(site, "/about"))
        for child in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split():
            if "run-driver" in Path(f"/proc/{child}/cmdline").read_text():
                os.kill(int(child), signal.SIGKILL)
        assert "<p>text" in (await pool.render(made(site, "<p>text"))).html

    async def run() -> None:
        async with provider() as browsers:
            pool = BrowserPool(browsers.launch_browser, OPTIONS)
            try:
                await render_twice(pool)
            finally:
                await pool.close()

    asyncio.run(run())


class DeadDriver:
    """A driver whose process ends before it has said anything."""

    async def __aenter__(self) -> None:
        raise Exception("Connection closed")

    async def __aexit__(self, *_: object) -> None: ...


class SilentDriver(DeadDriver):
    """A driver that never says anything."""

    async def __aenter__(self) -> None:
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("driver", "why"),
    [(DeadDriver, "cannot start: Connection closed"), (SilentDriver, "did not start within 0.1 s")],
)
def test_a_driver_that_does_not_start_is_why_there_is_no_browser(
    driver: type[DeadDriver], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawler.rendering.provider.async_playwright", driver)
    monkeypatch.setattr("crawler.rendering.provider._STARTING", 0.1)

    async def run() -> None:
        async with provider() as browsers:
            pool = BrowserPool(browsers.launch_browser, OPTIONS)
            with pytest.raises(NoBrowserError) as told:
                await pool.render(ServedPage("http://localhost/", 200, HTML, b""))
            assert str(told.value) == f"no browser can be started: Playwright's driver {why}"

    asyncio.run(run())
