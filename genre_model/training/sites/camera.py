"""Renders the pages of a static site as it would look on its own host, without any network."""

from __future__ import annotations

import asyncio
import mimetypes
import re
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import quote

from playwright.async_api import BrowserContext, Page, Request, Route
from playwright.async_api import TimeoutError as BrowserTimeoutError

from genre_model.training.sites.static_site import StaticSite
from genre_model.training.synthesis.rendering import (
    MAX_HEIGHT,
    TIMEOUT_MS,
    WIDTH,
    new_context,
    open_browser,
    screenshot,
    shown_height,
    shrink,
)

_ORIGIN: Final = "http://site.invalid/"
# Without one of these a page does not look like itself, whatever other style sheets it has.
_FRAMEWORKS: Final = re.compile(
    r"bootstrap(?!-icons)|bulma|foundation|materiali[sz]e|semantic|tailwind|uikit|w3\.css", re.I
)
# What fades in when it is scrolled to has done so by then.
_SETTLING_MS: Final = 800

# Scrolling shows what a page shows only then; scripts are of no use without their page.
_SCROLL = """async (most) => {
  const step = innerHeight, end = Math.min(document.documentElement.scrollHeight, most);
  for (let y = 0; y < end; y += step) {
    scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 40));
  }
  scrollTo(0, 0);
}"""
_IS_STYLED = "() => document.styleSheets.length > 0"
_MEASURE = """() => ({
  words: document.body.innerText.split(/\\s+/).length,
  lang: document.documentElement.lang,
})"""
_DOM = """() => {
  document.querySelectorAll('script').forEach((script) => script.remove());
  return document.documentElement.outerHTML;
}"""


@dataclass(frozen=True, slots=True)
class Photograph:
    """jpeg: the top of the page, a quarter of its size. html: the DOM without scripts.

    width, height: of the picture, in CSS px. words: that can be seen. lang: as the page says.
    """

    jpeg: bytes
    html: str
    width: int
    height: int
    words: int
    lang: str


class UnstyledError(Exception):
    """The page does not look like itself, as its style sheets are not in the folder."""


@dataclass
class _Sheets:
    """The style sheets that a page asked for: how many were found, and which were not."""

    found: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def suffice(self) -> bool:
        return not any(map(_FRAMEWORKS.search, self.missing)) and (
            self.found > 0 or not self.missing
        )


@dataclass
class SiteCamera:
    """Renders pages of one site; one tab serves one page at a time.

    stock: pictures that stand for those that the folder lacks.
    """

    site: StaticSite
    context: BrowserContext
    stock: Sequence[Path]
    _sheets: dict[Page, _Sheets] = field(default_factory=dict)

    async def shoot(self, path: str) -> Photograph:
        """Render one page.

        Raises UnstyledError, and playwright's Error if the page cannot be rendered in time.
        """
        page = await self.context.new_page()
        sheets = self._sheets[page] = _Sheets()
        try:
            # Playwright waits for ever for what it evaluates in a page whose script never ends.
            async with asyncio.timeout(TIMEOUT_MS / 1000):
                await page.goto(_ORIGIN + quote(path), wait_until="load")
                await page.evaluate(_SCROLL, 2 * MAX_HEIGHT)
                await page.wait_for_timeout(_SETTLING_MS)
                if not sheets.suffice or not await page.evaluate(_IS_STYLED):
                    raise UnstyledError(path)
                return await self._photograph(page)
        except TimeoutError as error:
            raise BrowserTimeoutError(f"{path} took more than {TIMEOUT_MS} ms") from error
        finally:
            del self._sheets[page]
            await page.close()

    async def _photograph(self, page: Page) -> Photograph:
        measured = await page.evaluate(_MEASURE)
        height = await shown_height(page)
        picture = await screenshot(page, height)
        html = await page.evaluate(_DOM)
        jpeg = await asyncio.to_thread(shrink, picture, height)
        return Photograph(jpeg, html, WIDTH, height, int(measured["words"]), measured["lang"])

    async def answer(self, route: Route, request: Request) -> None:
        """Answer a request from the folder, or with a picture in place of one that is not there."""
        file = self.site.answer(request.url)
        if request.resource_type == "stylesheet":
            self._note(request, file)
        if file is not None:
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            await route.fulfill(path=file, content_type=kind)
        elif request.resource_type == "image" and self.stock:
            number = zlib.crc32(request.url.encode()) % len(self.stock)
            await route.fulfill(path=self.stock[number], content_type="image/jpeg")
        else:
            await route.abort()

    def _note(self, request: Request, file: Path | None) -> None:
        sheets = self._sheets.get(request.frame.page)
        if sheets is None:
            return
        if file is None:
            sheets.missing.append(request.url)
        else:
            sheets.found += 1


@asynccontextmanager
async def site_camera(site: StaticSite, stock: Sequence[Path]) -> AsyncIterator[SiteCamera]:
    """A camera with a browser of its own, which is closed at the end.

    Raises playwright's Error, which says what to install, if there is no browser.
    """
    async with open_browser() as browser:
        context = await new_context(browser)
        camera = SiteCamera(site, context, stock)
        await context.route("**/*", camera.answer)
        try:
            yield camera
        finally:
            await context.unroute_all(behavior="ignoreErrors")
