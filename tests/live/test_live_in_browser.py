"""A person's way through the live page of a real crawl, in a real browser.

Pictures of it are left in the temporary folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from accessibility import obstacles, open_page
from live_server import document, serving
from live_site import BROKEN, MENU, Site, crawl, site
from playwright.sync_api import Browser, Page, expect

from benchmarks.free_port import free_port
from corpus_commons.browser import has_browser
from crawler.exit_codes import ExitCode
from crawler.frontier import FrontierError
from live import server
from live.watch import Snapshot, Watch

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

PATIENCE = 15_000


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab in which no script may fail, and which may load from the page's own server only."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield page
    assert not wrong
    context.close()


@pytest.fixture(scope="module")
def web() -> Iterator[Site]:
    with site() as server:
        yield server


def figure(tab: Page, name: str) -> int:
    return int(tab.locator(f'#figures [data-key="{name}"] b').inner_text().replace(",", ""))


def until(tab: Page, condition: Callable[[], bool]) -> None:
    for _ in range(PATIENCE // 50):
        if condition():
            return
        tab.wait_for_timeout(50)
    raise AssertionError("it did not come so far")


def is_quiet(tab: Page, web: Site) -> bool:
    """Whether the site is asked nothing for a while."""
    before = len(web.asked)
    tab.wait_for_timeout(700)
    return len(web.asked) == before


def test_a_crawl_is_watched_steered_and_stopped(tab: Page, web: Site, tmp_path: Path) -> None:
    with crawl(web.base, tmp_path, port=free_port()) as (address, process):
        tab.goto(address)
        tab.wait_for_selector("body[data-ready=yes]")
        expect(tab.locator("#state")).to_have_text("running")

        dead = tab.locator("#dead tr")
        expect(dead).to_have_text(f"http-500{BROKEN}Retry", timeout=PATIENCE)
        until(tab, lambda: figure(tab, "documents") > 3)
        before = figure(tab, "documents")
        until(tab, lambda: figure(tab, "documents") > before)
        tab.screenshot(path=tmp_path / "running.png", full_page=True)

        # By keyboard alone.
        tab.get_by_role("button", name="Pause").focus()
        tab.keyboard.press("Enter")
        expect(tab.locator("#state")).to_have_text("paused")
        expect(tab.locator("#said")).to_contain_text("Paused")
        expect(tab.get_by_role("button", name="Resume")).to_be_focused()
        until(tab, lambda: is_quiet(tab, web))
        tab.reload()
        expect(tab.locator("#state")).to_have_text("paused")
        assert figure(tab, "documents") > before
        assert is_quiet(tab, web)

        web.is_repaired = True
        tab.get_by_role("button", name="Retry the URLs that are dead").click()
        expect(tab.locator("#said")).to_have_text(f"{BROKEN} URLs put back into the queue.")
        expect(dead).to_have_count(0)
        expect(tab.locator("#said")).to_be_focused()
        tab.get_by_role("button", name="Resume").click()
        expect(tab.locator("#state")).to_have_text("running")
        until(tab, lambda: sum(path.startswith("/broken") for path in web.asked) == 2 * BROKEN)

        check_hostile_documents(tab)
        tab.get_by_role("button", name="Stop …").click()
        tab.get_by_role("button", name="Go on").click()
        expect(tab.locator("#state")).to_have_text("running")
        tab.get_by_role("button", name="Stop …").click()
        tab.get_by_role("button", name="Stop the crawl").click()
        expect(tab.locator("#state")).to_have_text("ended")
        assert process.wait(30) == ExitCode.STOPPED


def test_nothing_keeps_people_from_using_it(browser: Browser, web: Site, tmp_path: Path) -> None:
    with crawl(web.base, tmp_path, port=free_port()) as (address, _):
        for dark in (False, True):
            page = open_page(browser, address, "#documents article", dark=dark)
            assert obstacles(page) == []
            page.locator("#documents h3 a").first.click()
            page.wait_for_selector("#blocks .is-dropped")
            assert obstacles(page) == []
            page.context.close()


def check_hostile_documents(tab: Page) -> None:
    """What pages say is text, here and on the page of a document."""
    title = tab.locator("#documents h3", has_text="evil() \"'>").first
    title.wait_for()
    assert "\u202e" not in title.inner_text()
    title.locator("a").click()
    expect(tab.locator("#text")).to_contain_text("nobody on board is ever in a hurry")
    expect(tab.locator("#text")).to_contain_text("<img src=x onerror=evil()>")
    kept, dropped = tab.locator(".is-kept ins"), tab.locator(".is-dropped del")
    expect(kept.filter(has_text="nobody on board is ever in a hurry")).to_be_visible()
    expect(dropped.filter(has_text=MENU)).to_be_visible()
    expect(dropped.last).to_contain_text("<img src=x onerror=evil()>")
    assert tab.locator("img, script:not([src])").count() == 0
    tab.go_back()
    tab.wait_for_selector("body[data-ready=yes]")


def test_a_phone_in_the_dark_has_it_all_in_its_width(
    browser: Browser, web: Site, tmp_path: Path
) -> None:
    size = {"width": 360, "height": 740}
    with crawl(web.base, tmp_path, port=free_port()) as (address, _):
        context = browser.new_context(viewport=size, color_scheme="dark")  # type: ignore[arg-type]
        tab = context.new_page()
        tab.goto(address)
        expect(tab.locator("#documents article").first).to_be_visible(timeout=PATIENCE)
        assert tab.evaluate("document.documentElement.scrollWidth") == size["width"]
        assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
        tab.screenshot(path=tmp_path / "phone.png", full_page=True)
        tab.locator("#documents h3 a").first.click()
        expect(tab.locator(".is-dropped").first).to_be_visible()
        assert tab.evaluate("document.documentElement.scrollWidth") == size["width"]
        tab.screenshot(path=tmp_path / "phone-document.png", full_page=True)
        context.close()


def test_trouble_is_told_until_it_is_over(
    tab: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(_: Watch) -> Snapshot:
        raise FrontierError("the frontier does not answer")

    with serving(tmp_path) as served, monkeypatch.context() as patch:
        served.documents.add(document("one"))
        patch.setattr(Watch, "snapshot", silent)
        tab.goto(served.address)
        expect(tab.locator("#said")).to_have_text("the frontier does not answer")
        assert before(tab, "#end") == "none", "of two empty texts"
        patch.undo()
        expect(tab.locator("#state")).to_have_text("running")
        expect(tab.locator("#said")).to_be_empty()
        assert before(tab, "#end") == before(tab, ".card .facts span + span") == '" · "'


def test_a_page_that_was_refused_asks_again(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serving(tmp_path) as served,
        monkeypatch.context() as patch,
        browser.new_context() as context,
    ):
        patch.setattr(server, "MOST_VIEWERS", 0)
        tab = context.new_page()
        with tab.expect_response("**/events") as refused:
            tab.goto(served.address)
        assert refused.value.status == 503
        patch.undo()
        expect(tab.locator("#state")).to_have_text("running", timeout=PATIENCE)


def before(tab: Page, selector: str) -> object:
    """What the style puts before an element."""
    return tab.locator(selector).first.evaluate("one => getComputedStyle(one, '::before').content")
