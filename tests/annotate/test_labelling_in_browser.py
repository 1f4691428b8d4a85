"""A person's way through the tool, in a real browser. Pictures of it are left in ``tmp_path``."""

from __future__ import annotations

import select
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import orjson
import pytest
from accessibility import obstacles, open_page
from labelling_tool import MENU, SENTENCES, desk_of, program, serving, stories, story
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from annotate.desk import Choices
from annotate.opinions import Machine
from corpus_commons.browser import has_browser
from evaluation.datasets import open_dataset

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")

PAGES = 20
STORIES = 4
MILLISECONDS = 100
# Other work on the machine is none of the tool's; a quiet one takes 50 to 75 ms.
PATIENCE = 5
EVIL = "\x1b[31m\u202e<script>evil()</script>\"'><img src=x onerror=evil()>"


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab in which no script may fail."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert not errors
    context.close()


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory, machine: Machine) -> Iterator[SimpleNamespace]:
    folder = tmp_path_factory.mktemp("content")
    out = folder / "labels.jsonl"
    pages = stories(folder / "pages.jsonl", STORIES)
    with desk_of(pages, out, machine=machine) as desk, serving(desk) as address:
        yield SimpleNamespace(desk=desk, address=address, out=out)


def begin(tab: Page, address: str, name: str) -> None:
    tab.goto(address)
    tab.fill("#by", name)
    tab.keyboard.press("Enter")
    ready(tab)


def ready(tab: Page) -> None:
    tab.wait_for_selector("body[data-ready=yes]")


def saved(tab: Page) -> None:
    tab.wait_for_selector("#status[data-state=saved]")


def option(tab: Page, text: str) -> str | None:
    """The label of the block with this text."""
    return tab.locator("#blocks [role=option]", has_text=text).first.get_attribute("data-label")


def click(tab: Page, text: str, to: str | None = None, **how: list[str]) -> None:
    """Click on a text of the saved page; to: drag to another text."""
    frame = tab.frames[1]
    box = frame.locator("main-text", has_text=text).first.bounding_box()
    assert box is not None
    modifiers = how.get("keys", [])
    for key in modifiers:
        tab.keyboard.down(key)
    tab.mouse.move(box["x"] + 4, box["y"] + 4)
    tab.mouse.down()
    if to is not None:
        end = frame.locator("main-text", has_text=to).first.bounding_box()
        assert end is not None
        tab.mouse.move(end["x"] + 4, end["y"] + 4, steps=3)
    tab.mouse.up()
    for key in modifiers:
        tab.keyboard.up(key)


def test_blocks_are_corrected_by_mouse_and_by_keyboard_and_stay_after_a_reload(
    tab: Page, tool: SimpleNamespace, tmp_path: Path
) -> None:
    begin(tab, tool.address, "Ada")
    assert tab.inner_text("#f1") == "1.000", "before any correction, the machine is right"
    before = {name: option(tab, name) for name in ("Home", "Sport", "Weather", SENTENCES[1])}
    assert before == dict.fromkeys(("Home", "Sport", "Weather"), "other") | {SENTENCES[1]: "kept"}

    click(tab, SENTENCES[1])
    assert option(tab, SENTENCES[1]) == "other"
    assert float(tab.inner_text("#f1")) < 1
    click(tab, "Home", to="Weather")
    assert {option(tab, name) for name in ("Home", "Sport", "Weather")} == {"kept"}
    tab.screenshot(path=tmp_path / "corrected.png")
    for _ in range(2):
        tab.keyboard.press("z")
    assert {name: option(tab, name) for name in before} == before
    tab.keyboard.press("y")
    assert option(tab, SENTENCES[1]) == "other"

    tab.keyboard.press("Home")
    tab.keyboard.press("Shift+ArrowDown")
    tab.keyboard.press("Space")
    assert [option(tab, name) for name in ("Home", "Sport", "Weather")] == ["kept", "kept", "other"]
    tab.keyboard.press("d")
    click(tab, "Contact us", keys=["Alt"])
    assert {option(tab, name) for name in ("Home", "Sport", "Contact us")} == {"kept"}
    tab.keyboard.press("5")
    saved(tab)

    tab.reload()
    ready(tab)
    assert option(tab, SENTENCES[1]) == "other"
    assert {option(tab, name) for name in ("Home", "Sport", "Contact us")} == {"kept"}
    assert tab.input_value("#page_type") == "forum"
    tab.keyboard.press("m")
    assert tab.inner_text("#f1") == "1.000"


def test_the_list_may_show_only_what_is_kept(tab: Page, tool: SimpleNamespace) -> None:
    begin(tab, tool.address, "Bea")
    tab.check("#only-kept")
    shown = tab.locator("#blocks [role=option]:visible")
    assert {one.get_attribute("data-label") for one in shown.all()} == {"kept"}
    tab.keyboard.press("t")
    assert tab.locator("#blocks", has_text="Home").is_visible()


def test_keys_work_whatever_was_clicked_before(tab: Page, tool: SimpleNamespace) -> None:
    begin(tab, tool.address, "Dan")
    click(tab, "Sport")
    tab.click("[data-do=undo]")
    tab.keyboard.press("e")
    assert tab.locator("#blocks [aria-selected=true]").count() == len(MENU)
    tab.keyboard.press("t")
    assert tab.is_checked("#only-kept")
    tab.click("#only-kept")
    tab.keyboard.press("k")
    assert {option(tab, name) for name in MENU} == {"kept"}
    saved(tab)


def test_on_a_phone_the_page_stays_in_sight_while_blocks_are_tapped(
    browser: Browser, tool: SimpleNamespace
) -> None:
    with browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True) as context:
        tab = context.new_page()
        begin(tab, tool.address, "Cleo")
        assert tab.evaluate("scrollY") == 0, "the page to be labelled is seen first"
        click(tab, SENTENCES[2])
        assert option(tab, SENTENCES[2]) == "other"
        assert tab.evaluate("scrollY") == 0


@pytest.mark.parametrize("task", ["content", "kinds"])
def test_a_page_that_scripts_would_fill_is_said_to_have_no_text(
    tab: Page, tmp_path: Path, machine: Machine, task: str
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "app.html").write_text("<!doctype html><div id=root></div><script>fill()</script>")
    choices = Choices(task=task)
    with desk_of(pages, tmp_path / "labels.jsonl", choices, machine) as desk, serving(desk) as at:
        tab.goto(f"{at}pages/0?by=Ada")
        tab.wait_for_selector("#status:not(:empty)")
        assert "this page has no text" in tab.inner_text("#status")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_nothing_keeps_people_from_using_it(
    browser: Browser, tool: SimpleNamespace, dark: bool
) -> None:
    page = open_page(browser, tool.address, "#by", dark=dark)
    assert obstacles(page) == []
    begin(page, tool.address, "Grace")
    assert obstacles(page) == []
    page.context.close()


def test_what_two_people_keep_is_compared_and_written(
    tab: Page, tool: SimpleNamespace, tmp_path: Path
) -> None:
    begin(tab, tool.address, "Bea")
    for number in range(STORIES):
        if number == 0:
            click(tab, SENTENCES[0])
        tab.keyboard.press("1")
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
        if number < STORIES - 1:
            ready(tab)
    assert "All pages are done" in tab.inner_text("h1")

    for number in range(STORIES):
        blocks = tool.desk.blocks(number, "Cem")
        said = {"spans": list(blocks["machine"]), "blocks": blocks["blocks"]}
        tool.desk.save(number, {"by": "Cem", "done": True, "page_type": "article", **said})
    tab.goto(tool.address)
    rows = [row.inner_text().split("\t") for row in tab.locator("#agreement tbody tr").all()]
    assert [row[:3] for row in rows] == [
        ["Bea, Cem", "page type", "4"],
        ["Bea, Cem", "main content", "4"],
    ]
    assert rows[0][3:] == ["100 %", "–"], "with one answer only, chance explains all"
    # Of 36 blocks, Cem keeps 16 and Bea one less.
    assert rows[1][3:] == ["97 %", "0.94"]
    tab.screenshot(path=tmp_path / "agreement.png")
    tab.click("#write")
    tab.locator("#status", has_text="4 pages written").wait_for()
    pages = list(open_dataset(tool.out))
    assert {page.genre for page in pages} == {"article"}
    assert all(SENTENCES[1] in page.gold_text for page in pages)


def test_the_kinds_of_twenty_pages_are_labelled_by_a_key_each(
    tab: Page, tmp_path: Path, machine: Machine
) -> None:
    out = tmp_path / "kinds.jsonl"
    pages = stories(tmp_path / "pages.jsonl", PAGES)
    (tmp_path / "shots").mkdir()
    for number in range(1, PAGES):  # The first page has none: it is shown itself.
        Image.new("RGB", (32, 64)).save(tmp_path / f"shots/page {number}.jpg")
    with desk_of(pages, out, Choices(task="kinds"), machine) as desk, serving(desk) as address:
        tab.goto(address)
        tab.fill("#by", "Ada")
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
        for keys in ("1", "7", "an4", *"1" * (PAGES - 3)):
            for key in keys[:-1]:
                tab.keyboard.press(key)
            with tab.expect_navigation(wait_until="domcontentloaded"):
                tab.keyboard.press(keys[-1])
        assert "All pages are done" in tab.inner_text("h1")
        assert desk.write() == PAGES
    lines = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    found = [(line["genre"], line["goce"]) for line in lines]
    assert found[:4] == [
        *(("article", "article"), ("listing", "list-view")),
        *(("service", None), ("article", "article")),
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_data_set_is_made_when_the_program_is_ended(
    number: signal.Signals, tab: Page, tmp_path: Path
) -> None:
    pages, out = stories(tmp_path / "pages.jsonl", 2), tmp_path / "labels.jsonl"
    with program(pages, out) as (process, address):
        begin(tab, address, "Ada")
        click(tab, SENTENCES[1])
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
        process.send_signal(number)
        assert process.stdout is not None
        assert process.stdout.read() == f"{out}: 1 page\n"
        assert process.wait() == 0
    (page,) = open_dataset(out)
    assert SENTENCES[1] not in page.gold_text


def test_labels_outlive_a_killed_server(tab: Page, tmp_path: Path, machine: Machine) -> None:
    pages, out = stories(tmp_path / "pages.jsonl", 2), tmp_path / "labels.jsonl"
    with program(pages, out) as (process, address):
        begin(tab, address, "Ada")
        click(tab, SENTENCES[1])
        saved(tab)
        process.send_signal(signal.SIGKILL)
        process.wait()
        tab.keyboard.press("z")
        tab.wait_for_selector("#status[data-state=failed]")
    port = urlsplit(address).port or 0
    with desk_of(pages, out, machine=machine) as desk, serving(desk, port) as address:
        # Not the same address: its token is a new one.
        expect(tab.locator("#status")).to_contain_text("open the one that the program has printed")
        begin(tab, address, "Ada")
        assert option(tab, SENTENCES[1]) == "other"
        with tab.expect_navigation():
            tab.keyboard.press("Enter")
        assert desk.write() == 1
    (page,) = open_dataset(out)
    assert SENTENCES[1] not in page.gold_text


def test_a_hostile_page_is_text_and_nothing_in_it_runs(
    tab: Page, tmp_path: Path, machine: Machine
) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    evil = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    page = {
        "id": EVIL,
        "url": f"javascript:evil()//{EVIL}",
        "html": f"""{story(0)}<script>parent.evil()</script><p>{EVIL.replace("<", "&lt;")}</p>
        <img src={evil} onerror=parent.evil()><svg onload=parent.evil()></svg>
        <style>#x {{ background: url({evil}) }}</style><p id=x onclick=parent.evil()>
        Last words</p><iframe src="javascript:parent.evil()"></iframe>
        <meta http-equiv=refresh content="0;url={evil}">""",
    }
    pages = tmp_path / "pages.jsonl"
    pages.write_bytes(orjson.dumps(page))
    tab.add_init_script("window.evil = () => { window.isHurt = true; }")
    with desk_of(pages, tmp_path / "out.jsonl", machine=machine) as desk, serving(desk) as address:
        begin(tab, address, "Ada")
        assert EVIL[5:] in tab.inner_text(".facts").replace("\n", " ")
        assert option(tab, "<script>evil()</script>") is not None
        click(tab, "Last words")
        tab.screenshot(path=tmp_path / "hostile.png")
        assert tab.evaluate("window.isHurt") is None
        tab.goto(f"{address}pages/0/frame")
        assert tab.evaluate("window.isHurt") is None
        assert tab.locator("script, img[src], [onclick]").count() == 0
    with listener:
        assert not select.select([listener], [], [], 0)[0], "nobody was asked for anything"


def test_a_click_on_a_page_of_20_000_blocks_has_no_lag(
    tab: Page, tmp_path: Path, machine: Machine
) -> None:
    blocks = "".join(f"<p>Sentence {n} tells of the sea." for n in range(20_000))
    (tmp_path / "big.html").write_text(f"<title>Big</title><main>{blocks}</main>")
    with (
        desk_of(tmp_path, tmp_path / "out.jsonl", machine=machine) as desk,
        serving(desk) as address,
    ):
        begin(tab, address, "Ada")
        assert tab.locator("#blocks [role=option]").count() == 20_000
        tab.evaluate(
            """() => { window.lags = []; new PerformanceObserver((list) => {
              const ups = list.getEntries().filter((entry) => entry.name === "pointerup");
              lags.push(...ups.map((entry) => entry.duration));
            }).observe({ type: "event", durationThreshold: 16 }); }"""
        )
        for number in range(3):
            box = tab.frames[1].locator(f'main-text[b="{number}"]').first.bounding_box()
            assert box is not None
            tab.mouse.click(box["x"] + 4, box["y"] + 4)
            tab.wait_for_timeout(100)
        assert tab.inner_text("#changes") == "3"
        lags = tab.evaluate("lags")
        assert lags
        assert sorted(lags)[len(lags) // 2] < MILLISECONDS * PATIENCE
