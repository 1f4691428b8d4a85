"""What rendering may cost, and the Scrapy settings that turn it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from settings import components
from settings.job import Job

SLOT: Final = "rendering"
"""Scrapy's download slot of drawn pages: no host is visited for one, so no host's slot is held."""
SETTING: Final = "RENDERING"
"""The Scrapy setting that holds the Options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """timeout to pages_per_browser are as in the job's ``[rendering]``; times in seconds.

    screenshot_scale: pixels of the screenshot to a CSS pixel. A quarter is all that the genre
        model reads: 320 pixels across.
    screenshot_quality: of the JPEG, 1 to 100.
    user_agent: what the browser says it is, to every host.
    accept_language: the header by that name; pages are told the first language in it. None leaves
        both to the browser.
    allow_loopback: whether pages may reach this machine; no other private address is ever reached.
    """

    timeout: float = 20.0
    settle: float = 1.0
    screenshot_height: int = 3840
    concurrency: int = 4
    content_size: int = 20_000_000
    pages_per_context: int = 50
    pages_per_browser: int = 500
    screenshot_scale: float = 0.25
    screenshot_quality: int = 85
    user_agent: str | None = None
    accept_language: str | None = None
    allow_loopback: bool = False

    @classmethod
    def of(cls, job: Job) -> Options:
        """The options of a job."""
        table = job.rendering
        return cls(
            timeout=table.timeout,
            settle=table.settle,
            screenshot_height=table.screenshot_height,
            concurrency=table.concurrency,
            content_size=table.content_size,
            pages_per_context=table.pages_per_context,
            pages_per_browser=table.pages_per_browser,
            user_agent=job.politeness.full_user_agent(),
            accept_language=job.filters.accept_language(),
            allow_loopback=job.is_loopback(),
        )


def rendering_settings(options: Options) -> dict[str, Any]:
    """Scrapy settings that let requests of ``rendered_request`` be drawn.

    They are for a crawl that draws; one that does not needs neither Playwright nor a browser.
    """
    handler = "crawler.rendering.handler.RenderingHandler"
    return {
        # The whole table: what is not in it is Scrapy's again, which reads files.
        "DOWNLOAD_HANDLERS": {**components.DOWNLOAD_HANDLERS, "http": handler, "https": handler},
        "PLAYWRIGHT_BROWSER_PROVIDER": "crawler.rendering.provider.GuardedBrowser",
        "DOWNLOAD_SLOTS": {SLOT: {"concurrency": options.concurrency, "delay": 0.0, "jitter": 0.0}},
        SETTING: options,
    }
