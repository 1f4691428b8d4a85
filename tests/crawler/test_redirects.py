"""Where redirects lead: nowhere twice, nowhere for ever, and no target is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from crawler.crawl.crawl import Crawl
from crawler.fetching.leased_requests import LeasedRequest
from crawler.frontier import Candidate, FrontierError
from crawler.frontier.url_meta import MOST_REDIRECTS
from crawler.outcomes import REDIRECTED, Done
from crawler.spider.redirects import Redirects
from settings import Job


def job(base: str, *paths: str) -> str:
    seeds = ", ".join(f'"{base}{path}"' for path in paths)
    return f"seeds.urls = [{seeds}]\npoliteness.delay = 0"


def leads(*paths: str) -> dict[str, tuple[int, dict[str, str], str]]:
    """Answers that redirect from each path to the next."""
    return {path: (302, {"Location": target}, "") for path, target in pairwise(paths)}


def test_redirects_without_end_are_followed_so_many_times(web: Web, tmp_path: Path) -> None:
    urls = [f"/{number}" for number in range(30)]
    spellings = ["/page?" + "&".join(order) for order in permutations(("a=1", "b=2", "c=3", "d=4"))]
    web.answers |= leads(*urls) | leads(*spellings)
    crawling = Crawling(tmp_path, job(web.base, urls[0], spellings[0]))
    assert crawling.run()[0] == 0
    asked = set(web.asked) - {"/robots.txt"}
    assert asked == {*urls[: MOST_REDIRECTS + 1], *spellings[: MOST_REDIRECTS + 1]}
    assert crawling.stats().outcomes == {"redirected": MOST_REDIRECTS, "redirect-loop": 2}


def test_a_url_that_redirects_to_itself_is_asked_for_once_in_each_spelling(
    web: Web, tmp_path: Path
) -> None:
    web.answers |= leads("/a", "/a") | leads("/b?x=1&y=2", "/b?y=2&x=1", "/b?x=1&y=2")
    crawling = Crawling(tmp_path, job(web.base, "/a", "/b?x=1&y=2"))
    assert crawling.run()[0] == 0
    assert sorted(web.asked) == ["/a", "/b?x=1&y=2", "/b?y=2&x=1", "/robots.txt"]
    assert crawling.stats().outcomes == {"redirect-loop": 2}


@pytest.mark.parametrize(
    ("path", "with_session", "kept"),
    [
        ("/", "/;jsessionid=0A1B2C", "/"),
        ("/a?b=1", "/a?b=1&PHPSESSID=aaa", "/a?b=1"),
        ("/c?d=2&e=3", "/c;jsessionid=0A?e=3&d=2", "/c?e=3&d=2"),
    ],
)
def test_a_session_id_that_a_server_insists_on_is_sent_but_not_kept(
    web: Web, tmp_path: Path, path: str, with_session: str, kept: str
) -> None:
    linking = PAGE + "<a href=next?f>next</a>"
    web.answers |= leads(path, with_session) | {with_session: (200, {}, linking)}
    web.answers["/next?f"] = (200, {}, PAGE)
    crawling = Crawling(tmp_path, job(web.base, path))
    assert crawling.run()[0] == 0
    assert web.asked == ["/robots.txt", path, with_session, "/next?f"]
    page, _ = crawling.pages()
    assert (page["url"], page["redirects"]) == (f"{web.base}{kept}", [f"{web.base}{path}"])
    assert crawling.stats().outcomes == {"kept": 2}


def test_a_session_id_that_is_another_each_time_is_a_loop(web: Web, tmp_path: Path) -> None:
    asked = ["/a", *(f"/a;jsessionid={number}" for number in range(9))]
    web.answers |= leads(*asked)
    crawling = Crawling(tmp_path, job(web.base, "/a"))
    code, log = crawling.run()
    assert code == 0
    assert web.asked == ["/robots.txt", *asked[:2]]
    assert crawling.stats().outcomes == {"redirect-loop": 1}
    assert f"{web.base}/a redirects in a loop" in log


def test_no_session_id_leads_to_what_may_not_be_visited(web: Web, tmp_path: Path) -> None:
    port = web.server_port
    web.answers |= {
        "/robots.txt": (200, {}, "User-agent: *\nDisallow: /*;jsessionid="),
        **leads("/a", "/a;jsessionid=1"),
        **leads("/b", f"http://10.0.0.1:{port}/b;jsessionid=1"),
        **leads("/c", f"http://localhost:{port}/c;jsessionid=1"),
    }
    crawling = Crawling(tmp_path, job(web.base, "/a", "/b", "/c"))
    crawling.run()
    assert set(web.asked) == {"/robots.txt", "/a", "/b", "/c"}
    outcomes = {"robots": 1, "private-address": 1, "redirect-out-of-scope": 1}
    assert crawling.stats().outcomes == outcomes


def test_a_page_that_is_known_is_not_visited_again_for_a_redirect(web: Web, tmp_path: Path) -> None:
    web.answers |= {"/page": (200, {}, PAGE), **leads("/old", "/page"), **leads("/older", "/old")}
    crawling = Crawling(tmp_path, job(web.base, "/page", "/old", "/older"))
    assert crawling.run()[0] == 0
    assert sorted(web.asked) == ["/old", "/older", "/page", "/robots.txt"]
    assert crawling.stats().outcomes == {"kept": 1, "redirected": 2}


def test_a_url_is_not_done_before_its_target_is_in_the_frontier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {"name": "x", "seeds": {"urls": ["http://localhost/a"]}}
    crawl = Crawl(Job.model_validate({**table, "outputs": {"folder": str(tmp_path)}}))

    async def broken(_: Iterable[Candidate]) -> int:
        raise FrontierError("the disk is full")

    async def work() -> None:
        await crawl.open()
        try:
            (lease,) = await crawl.leases.lease(1)
            leased = LeasedRequest.of(lease)
            leased.tried.append(lease.url)
            with monkeypatch.context() as patch:
                patch.setattr(crawl.leases, "add", broken)
                with pytest.raises(FrontierError):
                    await Redirects(crawl).follow(leased, lease.url, b"/b")
            assert await Redirects(crawl).follow(leased, lease.url, b"/b") == Done(REDIRECTED)
            assert (await crawl.frontier.stats()).added == 2
        finally:
            await crawl.close("finished")

    asyncio.run(work())
