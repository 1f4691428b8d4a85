"""One tab of a browser, which draws one page after the other.

It is steered by the DevTools protocol, on which a page costs a dozen messages however many
resources it has; Playwright's own ``goto`` with routes would stop at each of them.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from typing import Any, Final, Self

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from crawler.rendering.drawing import Drawn, Served
from crawler.rendering.errors import RenderingError
from crawler.rendering.options import Options
from crawler.rendering.scripts import content, settled
from crawler.rendering.unneeded import patterns

WIDTH: Final = 1280
HEIGHT: Final = 1024
"""CSS px of the viewport."""

_QUIET = 0.2
# Of the whole time; what is left is for the content and the screenshot of a page that never loads.
_LOADING = 0.6
# About the answer's transport, or about things that a page in a corpus must not do.
_NOT_PASSED_ON = frozenset(
    {
        *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"),
        *("content-disposition", "refresh", "set-cookie", "alt-svc", "trailer", "upgrade"),
    }
)


class Tab:
    """Open one with ``Tab.open``; draw pages one at a time; close it, whatever happened."""

    def __init__(self, page: Page, session: CDPSession, options: Options) -> None:
        self._page = page
        self._session = session
        self._options = options
        self._frame = ""
        self._served: Served | None = None
        self._moved_to: str | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self._crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(cls, context: BrowserContext, options: Options) -> Self:
        """A tab that lets no page navigate away, and does not fetch what is not needed."""
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        tab = cls(page, session, options)
        page.on("crash", tab._on_crash)
        session.on("Fetch.requestPaused", tab._on_document)
        tree = await session.send("Page.getFrameTree")
        tab._frame = tree["frameTree"]["frame"]["id"]
        await session.send("Network.enable", {"maxTotalBufferSize": 0})
        await session.send("Network.setBlockedURLs", {"urls": patterns()})
        # The page is laid out as ever, and painted no larger than its screenshot will be.
        await session.send("Emulation.setDeviceMetricsOverride", _device(options.screenshot_scale))
        # Documents alone are stopped at: the page itself and its frames.
        documents = {"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}
        await session.send("Fetch.enable", {"patterns": [documents]})
        return tab

    async def draw(self, served: Served) -> Drawn:
        """Show the answer and take what there is, within ``timeout``.

        Raises RenderingError, and playwright's Error where the browser is gone.
        """
        work = asyncio.ensure_future(self._draw(served))
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

    async def _draw(self, served: Served) -> Drawn:
        start = time.monotonic()
        self._moved_to = None
        self._served = served
        loaded = await self._load(served, self._options.timeout * _LOADING)
        found = await self._evaluate(content(self._options.content_size))
        size = int(found["size"])
        if size > self._options.content_size:
            limit = f"{self._options.content_size:,}"
            raise RenderingError("render-too-large", f"{size:,} characters, more than {limit}")
        taken = time.monotonic()
        height, screenshot = await self._screenshot()
        return Drawn(
            html=str(found["html"]),
            screenshot=screenshot,
            height=height,
            is_loaded=loaded,
            moved_to=self._moved_to,
            seconds=taken - start,
            screenshot_seconds=time.monotonic() - taken,
        )

    async def _load(self, served: Served, limit: float) -> bool:
        """Whether the page came to rest by itself; otherwise it is stopped as it stands."""
        settle = self._options.settle
        try:
            async with asyncio.timeout(limit):
                answer = await self._session.send("Page.navigate", {"url": served.url})
                if answer.get("errorText"):
                    raise RenderingError("render-failed", f"{served.url}: {answer['errorText']}")
                await self._evaluate(settled(min(_QUIET, settle), settle))
                return True
        except TimeoutError:
            # A script without an end holds up everything else: it is ended first.
            await self._session.send("Runtime.terminateExecution")
            await self._session.send("Page.stopLoading")
            return False

    async def _evaluate(self, expression: str) -> Any:
        world = await self._session.send("Page.createIsolatedWorld", {"frameId": self._frame})
        call = {
            "expression": expression,
            "contextId": world["executionContextId"],
            "awaitPromise": True,
            "returnByValue": True,
        }
        answer = await self._session.send("Runtime.evaluate", call)
        if "exceptionDetails" in answer:
            raise RenderingError("render-failed", str(answer["exceptionDetails"].get("text")))
        return answer["result"].get("value")

    async def _screenshot(self) -> tuple[int, bytes]:
        """Height of the page in CSS px, and a JPEG of its top."""
        options = self._options
        metrics = await self._session.send("Page.getLayoutMetrics")
        height = max(HEIGHT, int(metrics["cssContentSize"]["height"]))
        picture = await self._session.send(
            "Page.captureScreenshot",
            {
                "format": "jpeg",
                "quality": options.screenshot_quality,
                "captureBeyondViewport": True,
                "clip": {
                    "x": 0,
                    "y": 0,
                    "width": WIDTH,
                    "height": min(height, options.screenshot_height),
                    "scale": options.screenshot_scale,
                },
            },
        )
        return height, base64.b64decode(picture["data"])

    def _on_crash(self, _: Page) -> None:
        if not self._crashed.done():
            self._crashed.set_result(None)

    def _on_document(self, event: dict[str, Any]) -> None:
        answer = asyncio.ensure_future(self._answer(event))
        self._answers.add(answer)
        answer.add_done_callback(self._answers.discard)

    async def _answer(self, event: dict[str, Any]) -> None:
        """Frames are fetched; the tab's own document is what was served, and nothing after it."""
        call: dict[str, Any] = {"requestId": event["requestId"]}
        command = "Fetch.fulfillRequest"
        if event["frameId"] != self._frame:
            command = "Fetch.continueRequest"
        elif self._served is not None:
            call |= _answer_of(self._served)
            self._served = None
        else:
            self._moved_to = str(event["request"]["url"])
            call["responseCode"] = 204  # "No content" leaves the page where it is.
        with contextlib.suppress(Error):  # The page is gone, and its requests with it.
            await self._session.send(command, call)

    async def blank(self) -> None:
        """Leave the page, so that it stops working. Raises playwright's Error."""
        self._served = Served("about:blank", 200, (), b"")
        await self._session.send("Page.navigate", {"url": "about:blank"})
        self._served = None

    async def close(self) -> None:
        """Raises playwright's Error if the browser is gone."""
        self._crashed.cancel()
        await self._page.close()


def _device(scale: float) -> dict[str, Any]:
    """A screen of the viewport's size, shrunk: a ``deviceScaleFactor`` would change the layout."""
    size = {"width": WIDTH, "height": HEIGHT}
    return {**size, "deviceScaleFactor": 1, "mobile": False, "scale": scale}


def _answer_of(served: Served) -> dict[str, Any]:
    headers = [
        {"name": name, "value": value}
        for name, value in served.headers
        if name not in _NOT_PASSED_ON
    ]
    return {
        "responseCode": served.status,
        "responseHeaders": headers,
        "body": base64.b64encode(served.body).decode("ascii"),
    }
