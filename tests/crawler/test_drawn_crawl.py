"""A crawl that draws its pages: where scripts lead, and what a visit is then."""

from __future__ import annotations

from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from browser import has_browser

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium found")


def job(web: Web, politeness: str = "delay = 0") -> str:
    return f"""
[seeds]
urls = ["{web.base}/"]
[politeness]
{politeness}
[rendering]
mode = "always"
"""


def test_where_a_script_leads_is_recorded_as_a_redirect_is(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/": (200, {}, PAGE + "<a href=/old>1</a><a href=/away>2</a><a href=/again>3</a>"),
        "/old": (200, {}, PAGE + "<script>location.href = '/new#top'</script>"),
        "/new": (200, {}, PAGE),
        "/away": (200, {}, PAGE + "<script>location.href = 'http://example.org/'</script>"),
        "/again": (200, {}, PAGE + "<script>location.reload()</script>"),
    }
    crawling = Crawling(tmp_path, job(web))
    code, errors = crawling.run()
    assert (code, errors.count("\n")) == (0, 1)
    assert "/away redirects to http://example.org/, which is out of scope" in errors
    pages = {page["url"].removeprefix(web.base): page["redirects"] for page in crawling.pages()}
    assert pages == {"/": [], "/new": [f"{web.base}/old"], "/again": []}
    assert crawling.stats().outcomes == {"kept": 3, "redirected": 1, "redirect-out-of-scope": 1}


def test_the_next_visit_waits_until_a_page_is_drawn(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {}, PAGE + "<a href=/1>1</a><a href=/2>2</a>")
    for number in (1, 2):
        picture = f"/{number}.css"
        web.answers[f"/{number}"] = (200, {}, PAGE + f"<link rel=stylesheet href={picture}>")
        web.answers[picture] = (200, {"Content-Type": "text/css"}, "p { color: navy }")
        web.slow[picture] = 1.0
    crawling = Crawling(tmp_path, job(web, 'delay = "300ms"'))
    assert crawling.run()[0] == 0
    at = dict(zip(web.asked, web.times, strict=True))
    first, second = sorted((1, 2), key=lambda number: at[f"/{number}"])
    assert at[f"/{second}"] - at[f"/{first}.css"] > 1.25
