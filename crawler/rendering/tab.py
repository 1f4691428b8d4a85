"""A browser tab, which renders one page after another.

It is controlled by the DevTools protocol (CDP), where a page costs a dozen messages however many
resources it has; Playwright's own ``goto`` with routes would pause at each resource.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from collections.abc import Coroutine
from importlib.resources import files
from typing import Any, Final, Self, TypeVar

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from crawler.rendering.options import RenderingOptions
from crawler.rendering.request_interceptor import (
    Reply,
    RequestInterceptor,
    intercepted_patterns,
    keeps_its_spelling,
)
from crawler.rendering.requests import RenderedPage, RenderingError, ServedPage

Result = TypeVar("Result")

WIDTH: Final = 1280
HEIGHT: Final = 1024
"""The viewport, in CSS pixels."""
_QUIET = 0.2
# The JavaScript world that evaluates our scripts. With a name it replaces that of the page before;
# without one they would pile up, and each be set up again for every page of the tab.
_WORLD = "genre-crawler"
# Cookies and storage of all origins.
_EVERYTHING: Final = {"origin": "*", "storageTypes": "all"}
_BLANK: Final = "about:blank"
# Seconds after which the page in an idle tab is emptied.
_IDLE_SECONDS = 1.0
# Seconds after which a script of the page that is left counts as endless; less than a browser may
# take to empty a tab.
_STUCK = 2.0
# Seconds in which an emptied tab is seen to be empty; else it counts as one that may not be.
_EMPTIED = 0.5
# Seconds that a tab may take to close before the command is repeated.
_CLOSING = 1.0
# From 1 to 100.
_JPEG_QUALITY = 85
_ABORTED = "net::ERR_ABORTED"
_REFUSED = "Unable to capture screenshot"
# Seconds after which a refused capture is asked for again.
_REFUSING = 0.1
# The share of the time limit for loading; the rest is for reading content and screenshot.
_LOADING = 0.6
# Seconds of that, besides `settle`, that are left when scrolling has to end.
_SCROLLED_BACK = 1.0
# How often a navigation, or a screenshot that is refused, is tried.
_TRIES = 5
# How often, and how many seconds apart, the effect of a navigation is asked for.
_QUESTIONS = 10
_ASKING = 0.02


def _script(name: str) -> str:
    """A script that runs in the page; ``quiet`` and ``initial`` before its own, in their world.

    The others are evaluated in an isolated world, which the page's scripts cannot reach.
    """
    return (files("crawler.rendering") / "js" / f"{name}.js").read_text(encoding="utf-8")


INITIAL: Final = f"({_script('quiet')})();\n{_script('initial')}"
_SETTLED: Final = _script("settled")
_SCROLLED: Final = _script("scrolled")
_CONTENT: Final = _script("content")


def settled(quiet: float, most: float) -> str:
    """A promise that resolves when the page has settled, see ``settled.js``; times in seconds."""
    return f"({_SETTLED})({quiet * 1000}, {most * 1000})"


def scrolled(most: int, seconds: float, settled: str) -> str:
    """A promise that resolves when the page was scrolled, see ``scrolled.js``.

    most, settled: see there.
    """
    return f"({_SCROLLED})({most}, {seconds * 1000}, () => {settled})"


def content(limit: int) -> str:
    """The DOM as HTML, and its length in UTF-16 units; no HTML if that exceeds the limit."""
    return f"({_CONTENT})({limit})"


class Tab:
    """Create it with ``Tab.open``; render one page at a time; close it in any case."""

    def __init__(
        self,
        page: Page,
        session: CDPSession,
        interceptor: RequestInterceptor,
        options: RenderingOptions,
    ) -> None:
        self._page = page
        self._session = session
        self._interceptor = interceptor
        self._options = options
        self._world: int | None = None
        # What CDP calls the document of the navigation that was begun last.
        self._begun: str | None = None
        self._is_blank = True
        self._is_restless = False
        self._resting: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, context: BrowserContext, options: RenderingOptions) -> Self:
        """A tab that blocks navigation away from a page, and resources that are not needed."""
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        tab = cls(page, session, RequestInterceptor(tree["frameTree"]["frame"]["id"]), options)
        page.on("crash", tab._on_crash)
        session.on("Fetch.requestPaused", tab._on_paused)
        # Painted at the size of the screenshot, without an effect on the layout.
        await session.send("Emulation.setDeviceMetricsOverride", _device(options.screenshot_scale))
        await session.send("Fetch.enable", {"patterns": intercepted_patterns()})
        return tab

    async def render(self, served: ServedPage) -> RenderedPage:
        """Render the response, within ``timeout``.

        Raises RenderingError, or playwright's Error if the browser has died.
        """
        self._wake()
        work = asyncio.ensure_future(self._render(served))
        try:
            async with asyncio.timeout(self._options.timeout):
                waited: set[asyncio.Future[Any]] = {work, self._crashed}
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                if self._crashed.done():
                    raise RenderingError("render-crashed", served.url)
                return await work
        except TimeoutError:
            limit = f"{self._options.timeout:g} s"
            raise RenderingError("render-timeout", f"{served.url} took more than {limit}") from None
        finally:
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError, Error, RenderingError):
                await work

    async def _render(self, served: ServedPage) -> RenderedPage:
        start = time.monotonic()
        if not self._is_blank and not keeps_its_spelling(served.url):
            await self.blank()
        ending = [] if self._is_blank else [self._end_script()]
        # The visits of other pages are not this one's; the HTTP cache is kept.
        clearing = self._session.send("Storage.clearDataForOrigin", _EVERYTHING)
        await asyncio.gather(clearing, *ending)
        self._world = None
        self._is_blank = False
        self._is_restless = True
        loaded = await self._load(served, self._options.timeout * _LOADING)
        found = await self._evaluate(content(self._options.content_size))
        size = int(found["size"])
        if size > self._options.content_size:
            limit = f"{self._options.content_size:,}"
            raise RenderingError("render-too-large", f"{size:,} characters, more than {limit}")
        self._is_restless = not loaded
        taken = time.monotonic()
        screenshot = await self._insist(self._screenshot(), _STUCK)
        return RenderedPage(
            html=str(found["html"]),
            screenshot=screenshot,
            is_loaded=loaded,
            moved_to=self._interceptor.moved_to,
            seconds=taken - start,
            screenshot_seconds=time.monotonic() - taken,
        )

    async def _load(self, served: ServedPage, limit: float) -> bool:
        """Load the page, and scroll it; returns whether it settled. If not, loading and scripts are
        stopped.
        """
        settle, scroll = self._options.settle, self._options.scroll
        settling = settled(min(_QUIET, settle), settle)
        start = time.monotonic()
        try:
            async with asyncio.timeout(limit):
                if not await self._navigate(served.url, served):
                    reason = f"{served.url} does not replace the page before"
                    raise RenderingError("render-failed", reason)
                await self._evaluate(settling)
                if scroll:
                    left = limit - (time.monotonic() - start) - settle - _SCROLLED_BACK
                    await self._evaluate(scrolled(scroll, left, settling))
                return True
        except TimeoutError:
            # First: an endless script would block everything else.
            await self._session.send("Runtime.terminateExecution")
            await self._session.send("Page.stopLoading")
            if await self._is_shown():
                return False
            reason = f"{served.url} did not load within {limit:g} s"
            raise RenderingError("render-timeout", reason) from None

    async def _navigate(self, url: str, served: ServedPage | None = None) -> bool:
        """Replace the page, by the response if there is one; returns whether it was replaced.

        Chromium says so before it is, and drops the navigation, or aborts it, if the page before
        begins one of its own at that moment. Raises RenderingError if the browser refuses the page.
        """
        self._begun = None
        for _ in range(_TRIES):
            if served is not None:
                self._interceptor.expect(served)
            begun = await self._session.send("Page.navigate", {"url": url})
            self._interceptor.is_shown = True
            error = begun.get("errorText")
            if served is not None and error and error != _ABORTED:
                raise RenderingError("render-failed", f"{url}: {error}")
            self._begun = begun.get("loaderId")
            for _ in range(_QUESTIONS):
                if await self._is_shown():
                    return True
                await asyncio.sleep(_ASKING)
        return False

    async def _is_shown(self) -> bool:
        """Whether the navigation that was begun last has taken effect."""
        tree = await self._session.send("Page.getFrameTree")
        return bool(tree["frameTree"]["frame"]["loaderId"] == self._begun)

    async def _evaluate(self, expression: str) -> Any:
        if self._world is None:
            made = await self._session.send(
                "Page.createIsolatedWorld",
                {"frameId": self._interceptor.frame, "worldName": _WORLD},
            )
            self._world = made["executionContextId"]
        call = {
            "expression": expression,
            "contextId": self._world,
            "awaitPromise": True,
            "returnByValue": True,
        }
        reply = await self._session.send("Runtime.evaluate", call)
        if "exceptionDetails" in reply:
            raise RenderingError("render-failed", str(reply["exceptionDetails"].get("text")))
        return reply["result"].get("value")

    async def _screenshot(self) -> bytes:
        """A JPEG of the top of the page."""
        options = self._options
        metrics = await self._session.send("Page.getLayoutMetrics")
        height = max(HEIGHT, int(metrics["cssContentSize"]["height"]))
        call = {
            "format": "jpeg",
            "quality": _JPEG_QUALITY,
            "captureBeyondViewport": True,
            "clip": {
                "x": _start(metrics),
                "y": 0,
                "width": WIDTH,
                "height": min(height, options.screenshot_height),
                "scale": options.screenshot_scale,
            },
        }
        picture = await self._captured(call)
        return base64.b64decode(picture["data"])

    async def _captured(self, call: dict[str, Any]) -> dict[str, Any]:
        """Chromium refuses a capture now and then, and takes the same one when asked again."""
        for _ in range(_TRIES - 1):
            try:
                return await self._session.send("Page.captureScreenshot", call)
            except Error as error:
                if _REFUSED not in str(error):
                    raise
            await asyncio.sleep(_REFUSING)
        return await self._session.send("Page.captureScreenshot", call)

    def _on_crash(self, _: Page) -> None:
        if not self._crashed.done():
            self._crashed.set_result(None)

    def _on_paused(self, event: dict[str, Any]) -> None:
        # The interceptor decides synchronously, so that events are handled in their order.
        sending = asyncio.ensure_future(self._send(self._interceptor.reply(event)))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def _send(self, reply: Reply) -> None:
        with contextlib.suppress(Error):  # The page may be gone, and its requests with it.
            await self._session.send(reply.command, reply.parameters)

    @property
    def is_crashed(self) -> bool:
        return self._crashed.done()

    async def rest(self) -> None:
        """Empty the tab soon, unless the next page comes: emptying costs as much as a small page.

        If the page did not settle, or tried to navigate, it is emptied at once. Raises playwright's
        Error.
        """
        if self._is_restless or self._interceptor.moved_to is not None:
            await self.blank()
        elif not self._is_blank:
            self._resting = asyncio.ensure_future(self._blank_later())

    async def blank(self) -> None:
        """Empty the tab, so that the page stops running. Raises playwright's Error."""
        await self._end_script()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_EMPTIED):
                self._is_blank = self._is_blank or await self._navigate(_BLANK)

    async def _end_script(self) -> None:
        """Leave the page if a script of it does not end: it would hold up the next one."""
        probing = asyncio.ensure_future(self._session.send("Runtime.evaluate", {"expression": "0"}))
        try:
            await asyncio.wait({probing}, timeout=_STUCK)
            if not probing.done():
                # It may begin anew until the page is left.
                self._is_blank = await self._insist(self._navigate(_BLANK), patience=0)
            with contextlib.suppress(Error):  # The page may be left before it answers.
                await probing
        finally:
            probing.cancel()

    async def _insist(self, work: Coroutine[Any, Any, Result], patience: float) -> Result:
        """Do what the page has to answer, if need be by ending its scripts, after so many seconds.

        Chromium also asks a page before it leaves it, since ``initial.js`` listens for that.
        """
        doing = asyncio.ensure_future(work)
        try:
            await asyncio.wait({doing}, timeout=patience)
            while not doing.done():
                await self._session.send("Runtime.terminateExecution")
                await asyncio.wait({doing}, timeout=_ASKING)
            return await doing
        finally:
            doing.cancel()

    async def _blank_later(self) -> None:
        await asyncio.sleep(_IDLE_SECONDS)
        with contextlib.suppress(Error):  # The next page will notice the error.
            await self.blank()

    def _wake(self) -> None:
        if self._resting is not None:
            self._resting.cancel()

    async def close(self) -> None:
        """Raises playwright's Error if the browser has died.

        Chromium may ignore a close that coincides with a change of processes, so it is repeated.
        """
        self._wake()
        self._crashed.cancel()
        try:
            async with asyncio.timeout(_CLOSING):
                await self._page.close()
        except TimeoutError:
            await self._session.send("Page.close")


def _start(metrics: dict[str, Any]) -> float:
    """The left edge of what is seen before anybody scrolls, in CSS px from that of the content.

    The content of a page that is written from right to left overflows to the left of it.
    """
    seen, origin = metrics["cssLayoutViewport"], metrics["cssVisualViewport"]
    return float(seen["pageX"] - origin["pageX"])


def _device(scale: float) -> dict[str, Any]:
    """A screen of the viewport's size, scaled; a ``deviceScaleFactor`` would change the layout."""
    size = {"width": WIDTH, "height": HEIGHT}
    return {**size, "deviceScaleFactor": 1, "mobile": False, "scale": scale}
