"""A crawl that renders its pages: where scripts lead, and what a visit is then."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from corpus_commons.browser import has_browser, system_browser

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium found")


def job(
    web: Web, *paths: str, politeness: str = "delay = 0", rendering: str = 'mode = "always"'
) -> str:
    seeds = ", ".join(f'"{web.base}{path}"' for path in paths or ("/",))
    return f"""
[seeds]
urls = [{seeds}]
[politeness]
{politeness}
[rendering]
{rendering}
[frontier]
tries = 1
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


def test_the_next_visit_waits_until_a_page_is_rendered(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {}, PAGE + "<a href=/1>1</a><a href=/2>2</a>")
    for number in (1, 2):
        picture = f"/{number}.css"
        web.answers[f"/{number}"] = (200, {}, PAGE + f"<link rel=stylesheet href={picture}>")
        web.answers[picture] = (200, {"Content-Type": "text/css"}, "p { color: navy }")
        web.slow[picture] = 1.0
    crawling = Crawling(tmp_path, job(web, politeness='delay = "300ms"'))
    assert crawling.run()[0] == 0
    at = dict(zip(web.asked, web.times, strict=True))
    first, second = sorted((1, 2), key=lambda number: at[f"/{number}"])
    assert at[f"/{second}"] - at[f"/{first}.css"] > 1.25


@pytest.mark.parametrize("mode", ["always", "auto", "adaptive"])
def test_no_script_takes_back_what_its_page_says_of_its_use(
    mode: str, web: Web, tmp_path: Path
) -> None:
    """Applications replace the head that was served."""
    app = "<div id=app></div><script>document.head.innerHTML = ''; app.innerHTML = `{}`</script>"
    says, fills = "<head><meta name=robots content={}></head>", app.format(PAGE + "{}")
    web.answers |= {
        "/": (200, {}, fills.format("<a href=/noai>1</a><a href=/nofollow>2</a>")),
        "/noai": (200, {}, says.format("noai") + fills.format("<a href=/1>1</a>")),
        "/nofollow": (200, {}, says.format("nofollow") + fills.format("<a href=/2>2</a>")),
        "/1": (200, {}, PAGE),
        "/2": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job(web, rendering=f'mode = "{mode}"'))
    assert crawling.run()[0] == 0
    outcomes = {page["url"].removeprefix(web.base): page["outcome"] for page in crawling.pages()}
    assert outcomes == {"/": "kept", "/noai": "consent", "/nofollow": "kept", "/1": "kept"}


def test_a_page_that_begins_a_download_stays(web: Web, tmp_path: Path) -> None:
    """Whatever the file is called, and as a visitor's browser has it."""
    click = "const a = document.createElement('a'); a.href = '/get?1'; a.download = ''; a.click()"
    leave = "setTimeout(() => location.href = '{}', 50)"
    scripts = [click, leave.format("/files.zip"), leave.format("/files.docx")]
    paths = [f"/{number}" for number in range(len(scripts))]
    for path, script in zip(paths, scripts, strict=True):
        web.answers[path] = (200, {}, f"{PAGE}<script>{script}</script>")
    crawling = Crawling(tmp_path, job(web, *paths))
    assert crawling.run() == (0, "")
    assert crawling.stats().outcomes == {"kept": len(paths)}


@pytest.mark.parametrize(
    "page",
    [
        "<head><script src=/never></script></head>{}",
        "<p>First.</p><script src=/never></script>{}",
        "<p>First.</p><link rel=stylesheet href=/never>{}",
    ],
)
def test_text_after_a_script_that_never_comes_is_kept_as_it_was_served(
    page: str, web: Web, tmp_path: Path
) -> None:
    web.answers["/"] = (200, {}, page.format(PAGE + "<a href=/next>next</a>"))
    web.answers["/next"] = (200, {}, PAGE + "<script>document.body.append('rendered')</script>")
    web.slow["/never"] = 60
    crawling = Crawling(tmp_path, job(web, rendering='mode = "always"\ntimeout = "3s"'))
    assert crawling.run()[0] == 0
    assert [page["is_rendered"] for page in crawling.pages()] == [False, True]
    assert crawling.stats().outcomes == {"kept": 2}


def test_a_shell_that_takes_too_long_is_tried_again(web: Web, tmp_path: Path) -> None:
    shell = "<head><script src=/never></script></head><div id=app></div>"
    web.answers["/"] = (200, {}, shell)
    web.slow["/never"] = 60
    crawling = Crawling(tmp_path, job(web, rendering='mode = "auto"\ntimeout = "2s"'))
    crawling.run()
    assert [letter.reason for letter in crawling.dead()] == ["render-timeout"]


def test_queries_of_links_are_written_in_the_encoding_of_the_page_as_it_was_served(
    web: Web, tmp_path: Path
) -> None:
    """A rendered page is text; browsers ask in what it came in."""
    page = f"{PAGE}<a href='/search?q=река'>river</a>"
    web.answers |= {
        "/": (200, {"Content-Type": "text/html; charset=koi8-r"}, page),
        "/search?q=%D2%C5%CB%C1": (200, {}, PAGE),
    }
    web.encodings["/"] = "koi8-r"
    crawling = Crawling(tmp_path, job(web))
    assert crawling.run()[0] == 0
    assert crawling.stats().outcomes == {"kept": 2}


def test_only_what_is_empty_without_a_browser_is_rendered_where_that_is_wanted(
    web: Web, tmp_path: Path
) -> None:
    around = "<header><a href=/>Home</a></header>{}<footer>Since 1995</footer>"
    fills = f"<main></main><script>document.querySelector('main').innerHTML = '{PAGE}'</script>"
    web.answers |= {
        "/": (200, {}, around.format(PAGE + "<script>count()</script><a href=/shell>shell</a>")),
        "/shell": (200, {}, around.format(fills)),
    }
    crawling = Crawling(tmp_path, job(web, rendering='mode = "auto"'))
    assert crawling.run() == (0, "")
    assert [page["is_rendered"] for page in crawling.pages()] == [False, True]
    assert crawling.stats().outcomes == {"kept": 2}


@pytest.mark.skipif(system_browser() is None, reason="no Chromium on the path")
def test_a_browser_that_cannot_be_started_again_ends_the_crawl_and_costs_no_url(
    web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is started once, for two pages of six."""
    broken = tmp_path / "bin" / "chromium-headless-shell"
    broken.parent.mkdir()
    broken.write_text(f"""#!/bin/sh
[ -e "$0.was-started" ] && exit 1
: > "$0.was-started"
exec {system_browser()} "$@"
""")
    broken.chmod(0o755)
    paths = [f"/{number}" for number in range(6)]
    web.answers |= {path: (200, {}, PAGE) for path in paths}
    rendering = 'mode = "always"\nconcurrency = 1\npages_per_browser = 2'
    crawling = Crawling(tmp_path, job(web, *paths, rendering=rendering))
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(broken.parent), prepend=os.pathsep)
        code, errors = crawling.run()
    assert code == 1
    assert errors.count("stopping the crawl: no browser can be started: ") == 1
    assert crawling.stats().outcomes == {"kept": 2}
    assert crawling.run()[0] == 0
    assert crawling.stats().outcomes == {"kept": 6}
    assert crawling.dead() == []


def test_browsers_that_no_policy_guards_render_nothing(web: Web, tmp_path: Path) -> None:
    web.answers |= {"/": (200, {}, PAGE)}
    crawling = Crawling(tmp_path, job(web))
    provider = "scrapy_playwright.provider.PlaywrightBrowserProvider"
    crawling.settings = [f"PLAYWRIGHT_BROWSER_PROVIDER={provider}"]
    code, errors = crawling.run()
    assert code == 1
    assert "PLAYWRIGHT_BROWSER_PROVIDER would reach private networks" in errors
    assert crawling.stats().queued == 1
