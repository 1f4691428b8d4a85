"""Scrolling in the real browser: what a page brings only when it comes into view is read, too."""

from __future__ import annotations

import html
import io
import time
from dataclasses import replace

import pytest
from browser_pool import OPTIONS, Browsers, made, rendering
from PIL import Image

from corpus_commons.browser import has_browser
from crawler.demo import DemoSite
from crawler.rendering import RenderingOptions
from crawler.rendering.pool import BrowserPool
from crawler.rendering.requests import RenderedPage
from settings.job import Job

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

# A thousand pixels each, with enough words for a page that waits for no more.
STEPS = "<style>* { margin: 0 } p { height: 1000px }</style>" + f"<p>{'step ' * 20}</p>" * 4
# A page says what it does when its end comes into view.
WATCHED = """<i>end</i><script>
    const add = (text) => {
        const part = document.createElement("p");
        part.textContent = text;
        document.querySelector("i").before(part);
    };
    const watch = (act) => new IntersectionObserver(
        ([seen]) => seen.isIntersecting && act()).observe(document.querySelector("i"));
"""
# Each time that its end is seen, a list of ten parts gets the next, from its server.
GROWS = (
    STEPS
    + WATCHED
    + """let parts = 0;
    watch(async () => {
        for (let asked = parts; asked < 10; asked++) {
            await fetch("/about");
            add(`part ${++parts}`);
            if (document.querySelector("i").getBoundingClientRect().top > innerHeight) return;
        }
    })</script>"""
)


def rendered(site: DemoSite, body: str, options: RenderingOptions) -> RenderedPage:
    found: list[RenderedPage] = []

    async def work(pool: BrowserPool, _: Browsers) -> None:
        found.append(await pool.render(made(site, body)))

    rendering(work, options)
    return found[0]


def test_how_far_is_said_by_the_job() -> None:
    job = {"name": "j", "seeds": {"urls": ["http://localhost/"]}, "rendering": {"scroll": 5_000}}
    assert RenderingOptions.of(Job.model_validate(job)).scroll == 5_000
    del job["rendering"]
    assert RenderingOptions.of(Job.model_validate(job)).scroll == 0


@pytest.mark.parametrize(("scroll", "is_read"), [(0, False), (3_000, False), (10_000, True)])
def test_what_comes_when_it_is_seen_is_read_as_far_as_the_page_is_scrolled(
    scroll: int, is_read: bool, site: DemoSite
) -> None:
    body = f"{STEPS}{WATCHED} watch(() => setTimeout(() => add('late text'), 50))</script>"
    page = rendered(site, body, replace(OPTIONS, scroll=scroll))
    assert page.is_loaded
    assert ("<p>late text" in page.html) == is_read


@pytest.mark.parametrize(("scroll", "parts"), [(6_500, 3), (100_000, 10)])
def test_a_page_that_grows_is_scrolled_on_to_the_limit(
    scroll: int, parts: int, site: DemoSite
) -> None:
    page = rendered(site, GROWS, replace(OPTIONS, scroll=scroll, settle=3, timeout=60))
    assert page.is_loaded
    assert page.html.count("<p>part") == parts


PANE = "<style>main { height: 100vh; overflow: auto }</style><main>"
LATE = f"{STEPS}{WATCHED} watch(() => add('late text'))</script>"
OF_PANE = (
    "<style>:host { display: block; height: 100vh } main { height: 100%; overflow: auto }</style>"
)
DECLARED = f"<div><template shadowrootmode=open>{OF_PANE}<main><slot></slot></main></template>"


@pytest.mark.parametrize(
    "body",
    [
        PANE + LATE,
        f"{PANE}{LATE}</main><style>body {{ padding: 8px }}</style>",
        f"{PANE}{LATE}</main><div style='position: fixed; inset: 0'>Cookies?</div>",
        f"<form name=elementsFromPoint><input name=shadowRoot></form>{PANE}{LATE}",
        f"<style>form {{ height: 100vh; overflow: auto }}</style><form><input name=scrollTo>"
        f"<input name=scrollIntoView>{LATE}",
        DECLARED + LATE,
    ],
    ids=[
        "alone",
        "page scrolls, too",
        "behind a wall",
        "behind names",
        "names",
        "of a shadow root",
    ],
)
def test_what_scrolls_inside_a_page_is_scrolled(body: str, site: DemoSite) -> None:
    assert "<p>late text" in rendered(site, body, replace(OPTIONS, scroll=10_000)).html


def test_what_scrolls_inside_a_frame_is_scrolled(site: DemoSite) -> None:
    body = f'<iframe style="width: 100%; height: 900px" srcdoc="{html.escape(LATE)}"></iframe>'
    assert "<p>late text" in rendered(site, body, replace(OPTIONS, scroll=10_000)).html


def test_the_screenshot_is_of_the_top_also_of_a_page_that_scrolls_smoothly(site: DemoSite) -> None:
    body = f"""<style>html {{ scroll-behavior: smooth }}
        header {{ position: sticky; top: 0; height: 100px; background: black }}</style>
        <header></header>{STEPS}"""
    page = rendered(site, body, replace(OPTIONS, scroll=10_000))
    with Image.open(io.BytesIO(page.screenshot)) as picture:
        right = picture.convert("L").crop((240, 0, 320, picture.height))
    assert right.crop((0, 0, 80, 20)).getextrema()[1] < 32
    assert right.crop((0, 40, 80, right.height)).getextrema()[0] > 200


def test_a_page_that_grows_without_end_is_taken_when_its_time_is_up(site: DemoSite) -> None:
    body = f"{STEPS}<script>setInterval(() => document.body.append('more '), 20)</script>"
    options = replace(OPTIONS, scroll=1_000_000, timeout=8)
    start = time.monotonic()
    page = rendered(site, body, options)
    assert time.monotonic() - start < 10 * options.timeout
    assert page.is_loaded
    assert "more more" in page.html


def test_page_code_cannot_hold_up_the_scrolling(site: DemoSite) -> None:
    hostile = """<form name=scrollingElement></form><script>
        requestAnimationFrame = setTimeout = () => {};
        Element.prototype.scrollTo = () => { throw "caught" };
        </script>"""
    body = f"{hostile}{STEPS}{WATCHED} watch(() => add('late text'))</script>"
    page = rendered(site, body, replace(OPTIONS, scroll=10_000))
    assert page.is_loaded
    assert "<p>late text" in page.html
