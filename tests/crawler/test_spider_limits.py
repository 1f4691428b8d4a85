"""What the limits of a job count."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from crawler.rendering.options import RenderingOptions
from settings import Job


def job(base: str, limits: str) -> str:
    return f"""
[seeds]
urls = ["{base}/"]
[limits]
{limits}
[politeness]
delay = 0
"""


@pytest.mark.parametrize("limit", ["pages", "pages_per_host"])
def test_a_redirect_and_what_robots_forbids_are_no_pages(
    web: Web, tmp_path: Path, limit: str
) -> None:
    links = "".join(f"<a href=/{name}>{name}</a>" for name in ("private", "moved", "a", "b"))
    web.answers |= {
        "/robots.txt": (200, {}, "User-agent: *\nDisallow: /private"),
        "/": (301, {"Location": "/home"}, ""),
        "/home": (200, {}, PAGE + links),
        "/moved": (302, {"Location": "/a"}, ""),
        **{path: (200, {}, PAGE) for path in ("/a", "/b")},
    }
    crawling = Crawling(tmp_path, job(web.base, f"{limit} = 2"))
    assert crawling.run()[0] == 0
    assert [page["url"].removeprefix(web.base) for page in crawling.pages()] == ["/home", "/a"]
    assert crawling.stats().queued == 1


def test_what_is_received_is_counted_over_all_runs(web: Web, tmp_path: Path) -> None:
    links = "".join(f"<a href=/{number}>{number}</a>" for number in range(5))
    body = PAGE + "x" * (5_000 - len(PAGE + links)) + links
    web.answers |= {f"/{path}": (200, {}, body) for path in ("", *range(5))}
    crawling = Crawling(tmp_path, job(web.base, 'total_size = "12 kB"'))
    for _ in range(3):
        assert crawling.run()[0] == 0
        assert len(crawling.pages()) == 3
        assert crawling.stats().received == 15_000


def test_a_host_that_has_sent_enough_today_is_left_alone(web: Web, tmp_path: Path) -> None:
    links = "".join(f"<a href=/{number}>{number}</a>" for number in range(9))
    body = PAGE + "x" * 5_000 + links
    web.answers |= {f"/{path}": (200, {}, body) for path in ("", *range(9))}
    crawling = Crawling(tmp_path, job(web.base, "") + 'daily_size_per_host = "12 kB"\n')
    process = crawling.start()
    crawling.wait_for(lambda: len(web.asked) > 3)
    time.sleep(1)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    # The third page is one too many, and the next may be under way before that is known.
    pages = len(web.asked) - 1
    assert pages in (3, 4)
    assert (crawling.stats().done, crawling.stats().queued) == (pages, 10 - pages)


def test_browsers_tell_their_traffic_only_where_it_is_limited() -> None:
    job = {"name": "x", "seeds": {"urls": ["http://a.test/"]}, "politeness": {"contact": "a@b.org"}}
    assert not RenderingOptions.of(Job.model_validate(job)).tells_traffic
    job["politeness"]["daily_size_per_host"] = "1 GB"
    assert RenderingOptions.of(Job.model_validate(job)).tells_traffic
