"""Main content and kinds of page in one data set, and keys that come before a page does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest
from labelling_tool import desk_of, serving, stories
from playwright.sync_api import Browser, Page, Route

from annotate.desk import Choices
from annotate.labels import Label
from annotate.opinions import Machine
from corpus_commons.browser import has_browser

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")
KINDS = Choices(task="kinds")


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        yield context.new_page()


def test_each_task_is_done_on_its_own(tab: Page, tmp_path: Path, machine: Machine) -> None:
    pages, out = stories(tmp_path / "pages.jsonl", 2), tmp_path / "labels.jsonl"
    with desk_of(pages, out, machine=machine) as desk:
        half = desk.works[1].page.id
        for number, done in enumerate((True, False)):
            blocks = desk.blocks(number, "Ada")
            said = {"spans": list(blocks["machine"]), "blocks": blocks["blocks"]}
            desk.save(number, {"by": "Ada", "done": done, **said})
    with desk_of(pages, out, KINDS, machine) as desk, serving(desk) as address:
        assert desk.done_by("Ada") == 0
        tab.goto(f"{address}next?by=Ada")
        for work in desk.works:
            # A documentation page has no genre of its own: it is what the model says.
            chosen = tab.locator("[name=genre]:checked")
            assert chosen.get_attribute("value") == work.opinion.kind.genre
            with tab.expect_navigation(wait_until="domcontentloaded"):
                tab.keyboard.press("1")
        assert "All pages are done" in tab.inner_text("h1")
        desk.write()
    lines = {line["id"]: line for line in map(orjson.loads, out.read_bytes().splitlines())}
    assert {line["genre"] for line in lines.values()} == {"article"}
    assert ["gold_text" in line for line in lines.values()].count(True) == 1
    assert "gold_text" not in lines[half], "its blocks are half labelled"
    with desk_of(pages, out, machine=machine) as desk:
        (number,) = (n for n, work in enumerate(desk.works) if work.page.id == half)
        assert (desk.next("Ada"), desk.done_by("Ada")) == (number, 1)


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ({"page_type": "forum"}, ("kinds",)),
        ({"page_type": "forum", "spans": [], "blocks": "x"}, ("content",)),
        ({"genre": "neither", "spans": [], "blocks": "x"}, ("content", "kinds")),
    ],
)
def test_what_older_journals_say_is_done_stays_so(
    said: dict[str, object], done: tuple[str, ...]
) -> None:
    fields = {"page": "1", "by": "Ada", "at": "2026-01-01T00:00:00Z", **said}
    assert Label.from_fields({**fields, "done": True}).done == done
    assert Label.from_fields({**fields, "done": False}).done == ()


@pytest.mark.parametrize("task", ["content", "kinds"])
def test_a_key_that_comes_before_the_next_page_changes_nothing_on_the_last(
    tab: Page, tmp_path: Path, machine: Machine, task: str
) -> None:
    def slow(route: Route) -> None:
        tab.wait_for_timeout(500)
        route.continue_()

    pages, out = stories(tmp_path / "pages.jsonl", 2), tmp_path / "labels.jsonl"
    done, then = {"content": ("Enter", "2"), "kinds": ("1", "2")}[task]
    with desk_of(pages, out, Choices(task=task), machine) as desk, serving(desk) as address:
        tab.route("**/next?*", slow)
        for leave in (done, "]"):
            tab.goto(f"{address}pages/0?by=Ada")
            tab.wait_for_function("document.getElementById('glass').style.height")
            tab.wait_for_load_state("networkidle")
            with tab.expect_navigation(wait_until="domcontentloaded"):
                tab.keyboard.press(leave)
                tab.keyboard.press(then)
            label = desk.label(0, "Ada")
            assert label is not None
            assert label.page_type == {"content": None, "kinds": "article"}[task]
