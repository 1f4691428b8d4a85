"""A browser process, which may die or hang at any moment, its contexts, and their memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from playwright.async_api import Browser, BrowserContext, Error

from corpus_commons.process_tree import command, descendants
from crawler.rendering.tab import Tab

PAGE_MEMORY: Final = 2 << 30
"""In bytes. An empty page reserves 350 MB, most of which it never touches."""
# Seconds that a healthy browser needs at most; one that takes longer is killed.
CLOSING: Final = 3.0
OPENING: Final = 15.0

T = TypeVar("T")


def _bound_pages(browser: int) -> None:
    """Limit the memory of the browser's renderer processes; on Linux only.

    V8 limits only its heap, which holds neither typed arrays nor the DOM. ``RLIMIT_DATA`` limits
    all private writable memory of a process. Chromium's sandbox sets it too, several gigabytes
    higher, but never above the limit that was inherited.

    They are forked by the browser's zygote process, and inherit its limit.
    """
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - not every system has it

    for process in filter(_is_renderer, descendants(browser)):
        # The process may have ended, or have a lower limit already.
        with contextlib.suppress(OSError, ValueError):
            resource.prlimit(process, resource.RLIMIT_DATA, (PAGE_MEMORY, PAGE_MEMORY))


def _is_renderer(process: int) -> bool:
    """Whether it renders pages, or is their zygote; another zygote forks other services."""
    line = command(process)
    is_zygote = "--type=zygote" in line and "--no-zygote-sandbox" not in line
    return is_zygote or "--type=renderer" in line


class Context:
    """A browser context with its only tab, which renders one page at a time.

    pages: how many it was given. hosts: theirs, of whose files it may have copies.
    """

    def __init__(self, context: BrowserContext, tab: Tab) -> None:
        self.tab = tab
        self.pages = 0
        self.hosts: set[str] = set()
        self._context = context

    async def close(self) -> None:
        """Raises playwright's Error if the browser has died."""
        with contextlib.suppress(Error):  # It is closed with its context, too.
            await self.tab.close()
        await self._context.close()


class BrowserProcess:
    """A browser process. busy: how many pages it renders now. idle: contexts that render none.

    process: its number, once ``bound_pages`` has found it.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.process: int | None = None
        self.pages = 0
        self.busy = 0
        self.idle: list[Context] = []
        self.is_broken = False
        self._gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        browser.on("disconnected", self._on_disconnected)

    def take(self, host: str) -> Context | None:
        """An idle context, preferably one that has rendered pages of this host."""
        if not self.idle:
            return None
        context = next((one for one in self.idle if host in one.hosts), self.idle[-1])
        self.idle.remove(context)
        return context

    @property
    def is_usable(self) -> bool:
        return not self.is_broken and self.browser.is_connected()

    async def bound_pages(self) -> None:
        """Limit the memory of its pages. Raises playwright's Error if it dies or hangs."""
        session = await self.answer(self.browser.new_browser_cdp_session(), OPENING)
        answer = await self.answer(session.send("SystemInfo.getProcessInfo"), OPENING)
        processes = answer["processInfo"]
        self.process = next((item["id"] for item in processes if item["type"] == "browser"), None)
        if self.process is not None:
            _bound_pages(self.process)

    async def answer(self, work: Coroutine[Any, Any, T], limit: float | None = None) -> T:
        """The result of a call to the browser.

        Raises playwright's Error if the browser dies, which not every call notices by itself, or
        does not respond within ``limit`` seconds.
        """
        task = asyncio.ensure_future(work)
        try:
            waited: set[asyncio.Future[Any]] = {task, self._gone}
            await asyncio.wait(waited, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            self.is_broken = True
            raise Error("the browser died" if self._gone.done() else "the browser hangs")
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task})

    async def is_alive(self) -> bool:
        """Whether the browser responds; if not, it counts as broken from now on.

        ``is_connected`` is not enough: it stays true if Playwright's driver has died.
        """
        if self.is_usable:
            with contextlib.suppress(Error):
                session = await self.answer(self.browser.new_browser_cdp_session(), CLOSING)
                await self.answer(session.detach(), CLOSING)
                return True
        self.is_broken = True
        return False

    async def end(self) -> None:
        """Close the browser; kill it if it does not respond."""
        if not self.is_broken:
            with contextlib.suppress(Error):
                await self.answer(self.browser.close(), CLOSING)
                return
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
        with contextlib.suppress(Error):
            await self.answer(self.browser.close(), CLOSING)

    def _on_disconnected(self, _: Browser) -> None:
        if not self._gone.done():
            self._gone.set_result(None)
