"""Renders pages in headless Chromium: a screenshot of the top, and the boxes of the layout."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.async_api import Browser, BrowserContext, async_playwright
from playwright.async_api import Page as BrowserPage

from corpus_commons.browser import system_browser
from genre_model.training.synthesis.layout import BOXES_SCRIPT, rasterise

WIDTH: Final = 1280
"""CSS px."""
MAX_HEIGHT: Final = 3840
"""CSS px; longer pages are cropped."""
SHRINK: Final = 4
"""CSS px per pixel of the saved screenshot."""

_FLAGS = (
    "--no-sandbox --disable-gpu --disable-background-networking --disable-component-update "
    "--disable-sync --no-first-run --hide-scrollbars --allow-file-access-from-files "
    "--host-resolver-rules=MAP\t*\t~NOTFOUND"
)
# Device pixels per CSS px; screenshots are then scaled down to 1/SHRINK.
_SCALE = 0.5
_PAGES_PER_CONTEXT = 50
TIMEOUT_MS: Final = 15_000
"""For a page, whatever it does."""


@dataclass(frozen=True)
class Shot:
    """jpeg: WIDTH/SHRINK pixels wide. layout: (rows, COLUMNS, channels). width, height: CSS px."""

    jpeg: bytes
    layout: NDArray[np.uint8]
    width: int
    height: int


@asynccontextmanager
async def open_browser() -> AsyncIterator[Browser]:
    """A headless Chromium that can read files but has no network access.

    Raises playwright's Error, which says what to install, if there is no browser.
    """
    flags = [flag.replace("\t", " ") for flag in _FLAGS.split(" ")]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=system_browser(), args=flags)
        try:
            yield browser
        finally:
            await browser.close()


async def new_context(browser: Browser) -> BrowserContext:
    """For pages that are WIDTH wide; whatever takes longer than TIMEOUT_MS fails."""
    context = await browser.new_context(
        viewport={"width": WIDTH, "height": 1024},
        device_scale_factor=_SCALE,
    )
    context.set_default_timeout(TIMEOUT_MS)
    return context


class Camera:
    """Renders one page at a time in a browser, which several cameras may share."""

    def __init__(self, browser: Browser, file: Path) -> None:
        self._browser = browser
        self._file = file
        self._taken = 0

    async def _new_page(self) -> None:
        self._context = await new_context(self._browser)
        self._page = await self._context.new_page()

    async def shoot(self, html: str) -> Shot:
        """Render a page. Raises playwright's Error if it takes too long."""
        if self._taken % _PAGES_PER_CONTEXT == 0:
            await self.close()
            await self._new_page()
        self._taken += 1
        self._file.write_text(html, encoding="utf-8")
        page = self._page
        await page.goto(self._file.resolve().as_uri(), wait_until="load")
        height = await shown_height(page)
        boxes = await page.evaluate(BOXES_SCRIPT, height)
        picture = await screenshot(page, height)
        return Shot(shrink(picture, height), rasterise(boxes, height), WIDTH, height)

    async def restart(self) -> None:
        """Close the context, after an error; the next page opens a new one."""
        await self.close()
        self._taken = 0

    async def close(self) -> None:
        if self._taken:
            await self._context.close()


async def shown_height(page: BrowserPage) -> int:
    """The height of the part of a page that is taken, in CSS px."""
    tall = await page.evaluate(
        "Math.max(document.body.scrollHeight, document.documentElement.scrollHeight, 1024)"
    )
    return min(MAX_HEIGHT, int(tall))


async def screenshot(page: BrowserPage, height: int) -> bytes:
    """The top of a page, WIDTH x height CSS px, as a JPEG for ``shrink``."""
    return await page.screenshot(
        type="jpeg",
        quality=95,
        full_page=True,
        clip={"x": 0, "y": 0, "width": WIDTH, "height": height},
    )


def shrink(picture: bytes, height: int) -> bytes:
    """A screenshot of WIDTH x height CSS px as a JPEG of 1/SHRINK of that."""
    size = (WIDTH // SHRINK, height // SHRINK)
    with Image.open(io.BytesIO(picture)) as image:
        small = image.convert("RGB")
    if small.size != size:
        small = small.resize(size, Image.Resampling.BOX)
    out = io.BytesIO()
    small.save(out, "JPEG", quality=85)
    return out.getvalue()
