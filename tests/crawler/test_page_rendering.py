"""What is used of a page whose rendering fails or takes its content away."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scrapy.http import HtmlResponse
from scrapy.utils.test import get_crawler
from small_web import PAGE

from crawler.consent.page_signals import PageSignals
from crawler.crawl.crawl import Crawl
from crawler.discovery.page_scan import Reader, ScannedPage
from crawler.frontier import Lease, SqliteFrontier
from crawler.frontier.lease_holder import LeaseHolder
from crawler.items import Page
from crawler.rendering import RenderedPage, RenderingError
from crawler.spider import page_rendering
from crawler.spider.page_rendering import PageRenderer
from settings import parse_job

URL = "http://127.0.0.1/"
SCRIPT = "<script>count()</script>"
SHELL = f"<div id=app></div>{SCRIPT}"
TEMPLATE = f"<p>{{{{ more }}}}</p>{PAGE}{SCRIPT}"
TRIES = 4


class CountingReader:
    """A reader that counts what it reads, as served and as rendered."""

    def __init__(self, reader: Reader, counts: Counter[str]) -> None:
        self._reader, self._counts = reader, counts

    async def read(self, page: Page, served: PageSignals | None = None) -> ScannedPage:
        self._counts["served" if page.rendered_html is None else "rendered"] += 1
        return await self._reader.read(page, served)


def read(
    folder: Path,
    served: str,
    rendered: str | RenderingError,
    *,
    mode: str = "always",
    attempt: int = 1,
    is_loaded: bool = True,
    readings: Counter[str] | None = None,
) -> ScannedPage:
    """Read a page that a browser turns into that, or cannot render."""
    job = f'name = "test"\nseeds.urls = ["{URL}"]\nrendering.mode = "{mode}"\n'
    parsed = parse_job(f"{job}frontier.tries = {TRIES}", source="job.toml")
    lease = replace(Lease.of_none(URL), attempt=attempt)
    page = Page(lease, URL, 200, (), served.encode(), datetime(2026, 5, 1, tzinfo=UTC))

    async def render(*_: object) -> RenderedPage:
        if isinstance(rendered, RenderingError):
            raise rendered
        return RenderedPage(rendered, b"", is_loaded, None, 0.1, 0.1)

    async def work() -> ScannedPage:
        async with LeaseHolder(await SqliteFrontier.open(folder)) as leases:
            crawl = Crawl(parsed, leases=leases)
            if readings is not None:
                crawl.reader = CountingReader(crawl.reader, readings)
            renderer = PageRenderer(crawl, get_crawler(), lambda *_: None)
            return (await renderer.read(page, HtmlResponse(URL, body=page.html)))[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_rendering, "render", render)
        return asyncio.run(work())


@pytest.mark.parametrize("mode", ["always", "adaptive"])
@pytest.mark.parametrize("reason", ["render-crashed", "render-failed", "browser-lost"])
def test_a_page_that_no_try_could_render_is_used_as_it_was_served(
    reason: str, mode: str, tmp_path: Path
) -> None:
    """Not before: the browser may have died of another page, or have been killed."""
    error = RenderingError(reason)
    for attempt in range(1, TRIES):
        with pytest.raises(RenderingError, match=reason):
            read(tmp_path, TEMPLATE, error, mode=mode, attempt=attempt)
    found = read(tmp_path, TEMPLATE, error, mode=mode, attempt=TRIES)
    assert (found.scan.empty, found.page.rendered_html) == (None, None)


@pytest.mark.parametrize("mode", ["always", "adaptive"])
def test_one_that_takes_too_long_is_used_as_it_was_served_at_once(
    mode: str, tmp_path: Path
) -> None:
    found = read(tmp_path, TEMPLATE, RenderingError("render-timeout"), mode=mode)
    assert (found.scan.empty, found.page.rendered_html) == (None, None)


@pytest.mark.parametrize("mode", ["always", "adaptive"])
@pytest.mark.parametrize(
    "left",
    [
        "",
        "<title>A page</title><div id=app></div>",
        "<p>Application error: a client-side exception has occurred (see the browser console).",
        "<h1>Log in</h1><form><input type=password></form>",
    ],
)
def test_a_page_whose_scripts_take_its_content_away_is_used_as_it_was_served(
    left: str, mode: str, tmp_path: Path
) -> None:
    found = read(tmp_path, TEMPLATE, left, mode=mode)
    assert (found.scan.empty, found.page.rendered_html) == (None, None)


def test_a_page_that_is_empty_either_way_is_rejected_as_it_was_rendered(tmp_path: Path) -> None:
    assert read(tmp_path, SHELL, "<h1>Not found</h1>").scan.empty is not None
    assert read(tmp_path, SHELL, "<h1>Not found</h1>").page.rendered_html is not None


def test_a_page_whose_scripts_leave_little_but_content_is_used_as_it_was_rendered(
    tmp_path: Path,
) -> None:
    found = read(tmp_path, TEMPLATE, "<title>A page</title><p>The river rose in the night.")
    assert found.page.rendered_html is not None


@pytest.mark.parametrize("mode", ["always", "adaptive"])
def test_a_page_that_was_stopped_is_used_as_it_was_served_if_that_has_more_text(
    mode: str, tmp_path: Path
) -> None:
    found = read(tmp_path, TEMPLATE, "<p>The river rose.", mode=mode, is_loaded=False)
    assert (found.scan.empty, found.page.rendered_html) == (None, None)


@pytest.mark.parametrize("mode", ["always", "adaptive", "auto"])
@pytest.mark.parametrize("served", [TEMPLATE, SHELL])
@pytest.mark.parametrize("rendered", [PAGE, "", "<h1>Not found</h1>"])
@pytest.mark.parametrize("is_loaded", [True, False])
def test_no_form_of_a_page_is_read_twice(
    is_loaded: bool, rendered: str, served: str, mode: str, tmp_path: Path
) -> None:
    counts: Counter[str] = Counter()
    read(tmp_path, served, rendered, mode=mode, is_loaded=is_loaded, readings=counts)
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("mode", ["always", "adaptive", "auto"])
@pytest.mark.parametrize("reason", ["render-crashed", "render-timeout"])
def test_a_shell_that_cannot_be_rendered_is_never_used(
    reason: str, mode: str, tmp_path: Path
) -> None:
    with pytest.raises(RenderingError, match=reason):
        read(tmp_path, SHELL, RenderingError(reason), mode=mode, attempt=TRIES)
