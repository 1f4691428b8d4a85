"""The saved page beside its labels: how it is scrolled, and what it keeps to itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from labelling_tool import desk_of, serving
from playwright.sync_api import Browser, Page

from annotate.desk import Choices
from annotate.opinions import Machine
from corpus_commons.browser import has_browser, system_browser

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

TEXTS = "".join(f"<p>Sentence {n} tells of the sea, and of the ships on it." for n in range(200))
LONG = (
    "<style>html { scroll-behavior: smooth } #s { overflow: auto; height: 3em }</style>"
    f"<main><button>Menu</button><details><summary>More</summary>x</details><div id=s>{TEXTS}</div>"
    f"{TEXTS}</main>"
)


@pytest.fixture(scope="module", params=["content", "kinds"])
def address(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("long")
    (folder / "long.html").write_text(LONG)
    out, choices = folder / "labels.jsonl", Choices(task=request.param)
    with desk_of(folder, out, choices, Machine()) as desk, serving(desk) as found:
        yield f"{found}pages/0?by=Ada"


@pytest.fixture(scope="module")
def with_bars(browser: Browser) -> Iterator[Browser]:
    """A browser whose scroll bars are seen, and take room."""
    shown = {"ignore_default_args": ["--hide-scrollbars"]}
    with browser.browser_type.launch(executable_path=system_browser(), **shown) as own:
        yield own


def opened(tab: Page, address: str) -> Page:
    tab.goto(address)
    tab.wait_for_function("document.getElementById('glass').style.height")
    return tab


def top(tab: Page) -> float:
    """How far the saved page is scrolled, once it stands still."""
    tab.wait_for_timeout(300)
    found: float = tab.frames[1].evaluate("scrollY")
    return found


def test_the_saved_page_is_scrolled_by_wheel_keys_and_its_scroll_bar(
    with_bars: Browser, address: str
) -> None:
    with with_bars.new_context(viewport={"width": 1280, "height": 800}) as context:
        tab = opened(context.new_page(), address)
        tab.mouse.move(300, 300)
        tab.mouse.wheel(0, 400)
        assert top(tab) == 400
        tab.keyboard.press("PageDown")
        assert top(tab) > 900
        tab.keyboard.press("PageUp")
        assert top(tab) == 400
        tab.keyboard.press("PageUp")

        box = tab.locator("#page").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] - 7, box["y"]
        tab.mouse.move(x, y + 30)
        tab.mouse.down()
        tab.mouse.move(x, y + 300, steps=5)
        tab.mouse.up()
        assert top(tab) > 2000
        assert tab.locator("#blocks .changed").count() == 0, "to scroll is not to label"
        tab.set_viewport_size({"width": 1280, "height": 500})
        top(tab)
        tab.evaluate("document.getElementById('pane').scrollTo(0, 1e6)")
        assert top(tab) == tab.frames[1].evaluate(
            "document.documentElement.scrollHeight - innerHeight"
        )


def test_a_swipe_scrolls_the_saved_page(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True) as context:
        tab = opened(context.new_page(), address)
        finger = context.new_cdp_session(tab)
        for step in range(11):
            touch = {"type": "touchMove" if step else "touchStart"}
            points = [{"x": 150, "y": 500 - 20 * step}]
            finger.send("Input.dispatchTouchEvent", {**touch, "touchPoints": points})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        assert top(tab) > 100
        assert tab.locator("#blocks .changed").count() == 0
        assert tab.evaluate("scrollY") == 0


def test_the_keyboard_never_gets_into_the_saved_page(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        tab = opened(context.new_page(), address)
        for _ in range(40):
            tab.keyboard.press("Tab")
            assert tab.evaluate("document.activeElement.id") != "frame"


def test_a_page_from_right_to_left_is_scrolled_from_its_right(
    with_bars: Browser, tmp_path: Path
) -> None:
    (tmp_path / "wide.html").write_text(
        f"<html dir=rtl><body style='margin: 0'><div style='width: 3000px'>{TEXTS}</div>"
    )
    with (
        desk_of(tmp_path, tmp_path / "labels.jsonl") as desk,
        serving(desk) as address,
        with_bars.new_context() as context,
    ):
        tab = opened(context.new_page(), f"{address}pages/0?by=Ada")
        sizes = "[pane.scrollLeft, frame.contentWindow.scrollX]"
        assert tab.evaluate(sizes) == [0, 0]
        # Nothing lies under a scroll bar of the pane: it is where that of the page is.
        edge = "frame.contentDocument.querySelector('main-text').getBoundingClientRect().right"
        assert tab.evaluate(edge) <= tab.evaluate("pane.clientLeft + pane.clientWidth")
        tab.evaluate("pane.scrollTo(-1e6, 0)")
        top(tab)
        left, same = tab.evaluate(sizes)
        assert left == same < -1000
