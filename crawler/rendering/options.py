"""The options of rendering, and the Scrapy settings that turn it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from settings import components
from settings.job import Job
from settings.tables.rendering import Rendering

SLOT: Final = "rendering"
"""The download slot of rendered pages, instead of their host's, which rendering does not visit."""
SETTING: Final = "RENDERING"
"""The Scrapy setting that holds the ``RenderingOptions``."""
_DEFAULTS: Final = Rendering()


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderingOptions:
    """Options of rendering; from timeout to pages_per_browser as in the job's ``[rendering]``.

    Times are in seconds.

    screenshot_scale: pixels of the screenshot per CSS pixel. A quarter gives a width of 320 pixels,
        which is what the genre model reads.
    user_agent: for all requests of the browser.
    accept_language: the header; its first language is also ``navigator.language``. None leaves both
        to the browser.
    allow_loopback: whether pages may connect to this machine; other private addresses are always
        refused.
    tells_traffic: whether the signal BROWSER_RECEIVED is sent.
    """

    timeout: float = _DEFAULTS.timeout
    settle: float = _DEFAULTS.settle
    scroll: int = _DEFAULTS.scroll
    screenshot_height: int = _DEFAULTS.screenshot_height
    concurrency: int = _DEFAULTS.concurrency
    content_size: int = _DEFAULTS.content_size
    pages_per_context: int = _DEFAULTS.pages_per_context
    pages_per_browser: int = _DEFAULTS.pages_per_browser
    screenshot_scale: float = 0.25
    user_agent: str | None = None
    accept_language: str | None = None
    allow_loopback: bool = False
    tells_traffic: bool = False

    @classmethod
    def of(cls, job: Job) -> RenderingOptions:
        """The options of a job."""
        table = job.rendering
        return cls(
            timeout=table.timeout,
            settle=table.settle,
            scroll=table.scroll,
            screenshot_height=table.screenshot_height,
            concurrency=table.concurrency,
            content_size=table.content_size,
            pages_per_context=table.pages_per_context,
            pages_per_browser=table.pages_per_browser,
            user_agent=job.politeness.full_user_agent(),
            accept_language=job.filters.accept_language(),
            allow_loopback=job.is_loopback(),
            tells_traffic=job.politeness.daily_size_per_host is not None,
        )


def rendering_settings(options: RenderingOptions) -> dict[str, Any]:
    """Scrapy settings for a crawl that renders pages.

    Without them, neither Playwright nor a browser is needed.
    """
    handler = "crawler.rendering.handler.RenderingHandler"
    return {
        # All schemes must be listed, or Scrapy's defaults apply, which can read local files.
        "DOWNLOAD_HANDLERS": {**components.DOWNLOAD_HANDLERS, "http": handler, "https": handler},
        "PLAYWRIGHT_BROWSER_PROVIDER": "crawler.rendering.provider.GuardedBrowserProvider",
        "DOWNLOAD_SLOTS": {SLOT: {"concurrency": options.concurrency, "delay": 0.0, "jitter": 0.0}},
        SETTING: options,
    }
