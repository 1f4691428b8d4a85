"""Crawls that come back to pages of which a browser brings a part of the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from recrawling import Recrawl
from small_web import Web

from benchmarks.fault_site import html_of
from benchmarks.faults.versions import texts
from corpus_commons.browser import has_browser

pytestmark = [
    pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser"),
    pytest.mark.timeout(300),
]

PATHS = [f"/story/{number}" for number in range(12)]
BROUGHT = "Brought by a script"


class RenderedRecrawl(Recrawl):
    def _job(self) -> str:
        job = super()._job().replace("[frontier]", "[frontier]\ntries = 1")
        return job + '[rendering]\nmode = "adaptive"\ntimeout = "5s"\n'


def filled(title: str) -> str:
    """A page that looks whole, and of which a script brings half."""
    more = html_of(f"{BROUGHT}: {title}").partition("</h1>")[2].partition("<ul>")[0]
    script = f"document.querySelector('h1').insertAdjacentHTML('afterend', '{more}')"
    return f"{html_of(title)}<script>{script}</script>"


@dataclass
class Recrawled:
    """Three runs. wholes: after each, the paths whose last version has what a script brings."""

    wholes: list[set[str]]
    versions: dict[tuple[str, int], str]
    outcomes: Mapping[str, int]


@pytest.fixture(scope="module")
def recrawled(tmp_path_factory: pytest.TempPathFactory) -> Recrawled:
    """At the second run, one of the pages cannot be rendered."""
    promises = f"{filled('Rain')}<p v-text=more></p>"
    hangs = promises.replace("<h1>", "<script src=/never></script><h1>")
    with Web() as web:
        web.slow["/never"] = 60
        web.answers |= {path: (200, {}, filled(path)) for path in PATHS}
        web.answers["/"] = (200, {}, html_of("Home", links=[*PATHS, "/rain"]))
        crawl = RenderedRecrawl(tmp_path_factory.mktemp("rendered"), web.base, processes=1)
        wholes: list[set[str]] = []
        for answer in (promises, hangs, promises):
            web.answers["/rain"] = (200, {}, answer)
            assert crawl.run_again() == 0
            versions = texts(crawl.corpus, "documents", web.base)
            latest = {path: versions[path, version] for path, version in sorted(versions)}
            wholes.append({path for path, text in latest.items() if BROUGHT in text})
        return Recrawled(wholes, versions, crawl.stats().outcomes)


def test_what_a_browser_has_brought_to_a_page_is_in_its_later_versions_too(
    recrawled: Recrawled,
) -> None:
    """What their site gains is noticed only after some pages, in each run anew."""
    first, second, third = recrawled.wholes
    assert first
    assert first < second <= third
    assert max(version for _, version in recrawled.versions) == 2


def test_a_page_that_needs_a_browser_keeps_its_version_while_it_cannot_be_rendered(
    recrawled: Recrawled,
) -> None:
    assert recrawled.outcomes["failed: render-timeout"] == 1
    assert [version for path, version in recrawled.versions if path == "/rain"] == [1]
