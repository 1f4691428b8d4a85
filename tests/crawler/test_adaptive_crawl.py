"""A crawl that decides from the static response which pages to render, in a real browser."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from corpus_commons.browser import has_browser
from crawler.frontier import SqliteFrontier

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium found")

STORY = "Rain fell on the hills for two days and the river rose. " * 12
FILLS = f"<script>document.querySelector('#app').innerHTML = '<h1>Rain</h1><p>{STORY}</p>'</script>"
UNTOLD = "<script>document.querySelector('meta[name=robots]').remove()</script>"


@dataclass
class Told:
    crawling: Crawling
    pages: dict[str, dict[str, Any]]
    asked: list[str]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """The pages by path, after one crawl of them all."""
    with Web() as web:
        web.answers |= {
            "/plain": (200, {}, PAGE),
            "/scripted": (200, {}, f"{PAGE}<img src=/seen.png><script>count()</script>"),
            "/shell": (200, {}, f"<title>Rain</title><div id=app></div>{FILLS}"),
            "/template": (200, {}, f"{PAGE}<h1>{{{{ title }}}}</h1><div id=app></div>{FILLS}"),
            "/noai": (
                200,
                {},
                f"<meta name=robots content=noai><div id=app></div>{FILLS}{UNTOLD}",
            ),
            "/moves": (200, {}, "<div id=app></div><script>location.href = '/new'</script>"),
            "/new": (200, {}, PAGE),
            "/hangs": (200, {}, f"<p v-text=more></p><script src=/never></script>{PAGE}"),
        }
        web.slow["/never"] = 60
        folder = tmp_path_factory.mktemp("adaptive")
        seeds = ", ".join(f'"{web.base}{path}"' for path in web.answers if path != "/new")
        job = f"""
[seeds]
urls = [{seeds}]
[politeness]
delay = 0
[rendering]
timeout = "2s"
[frontier]
tries = 1
"""
        crawling = Crawling(folder, job)
        assert crawling.run()[0] == 0
        pages = {page["url"].removeprefix(web.base): page for page in crawling.pages()}
        yield Told(crawling, pages, web.asked)


def test_a_job_that_renders_is_adaptive_unless_it_says_otherwise(told: Told) -> None:
    assert {path: page["is_rendered"] for path, page in told.pages.items()} == {
        "/plain": False,
        "/scripted": False,
        "/shell": True,
        "/template": True,
        "/noai": False,
        "/new": False,
        "/hangs": False,
    }


def test_each_page_says_why_and_what_rendering_brought(told: Told) -> None:
    said = {path: (page["reason"], page["gain"]) for path, page in told.pages.items()}
    assert said["/plain"] == ("no-scripts", None)
    assert said["/scripted"] == ("scripted", None)
    assert said["/shell"] == ("empty", 1.0)
    assert said["/template"][0] == "template with text"
    assert 0.5 < said["/template"][1] < 0.9


def test_a_page_that_is_not_rendered_costs_its_host_nothing_more(told: Told) -> None:
    assert "/seen.png" not in told.asked


def test_what_the_served_page_says_about_its_use_is_obeyed_though_a_script_removes_it(
    told: Told,
) -> None:
    assert told.pages["/noai"]["outcome"] == "consent"
    assert "noai" in str(told.pages["/noai"]["consent"])


def test_where_a_script_leads_is_followed(told: Told) -> None:
    assert told.pages["/new"]["redirects"] == [
        told.pages["/new"]["asked"].replace("/new", "/moves")
    ]


def test_a_page_that_takes_too_long_is_kept_as_it_was_served(told: Told) -> None:
    hanging = told.pages["/hangs"]
    assert (hanging["outcome"], hanging["is_rendered"]) == ("kept", False)


def test_pages_for_which_the_budget_has_nothing_left_are_there_for_a_later_run(
    web: Web, tmp_path: Path
) -> None:
    paths = [f"/{number}" for number in range(3)]
    web.answers |= {path: (200, {}, f"<div id=app></div>{FILLS}") for path in paths}
    seeds = ", ".join(f'"{web.base}{path}"' for path in paths)
    job = f"seeds.urls = [{seeds}]\npoliteness.delay = 0\nrendering.budget_pages = 2"
    crawling = Crawling(tmp_path, job)
    assert crawling.run()[0] == 0
    assert crawling.stats().outcomes == {"kept": 2}
    (letter,) = crawling.dead()
    assert letter.reason == "render-budget"
    assert len(web.asked) == 4, "robots.txt, and each page once"

    async def retry() -> None:
        async with await SqliteFrontier.attach(crawling.output) as frontier:
            await frontier.retry_dead()

    asyncio.run(retry())
    assert crawling.run()[0] == 0
    assert crawling.stats().outcomes == {"kept": 3}
