"""What the spider visits, and what it leaves: seeds, redirects, lists and canonical links."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from crawling import Crawling
from fleet_worker import ended, job_file, worker
from redis_process import RedisProcess, needs_redis
from small_web import PAGE, Web

from crawler.discovery.block_list import BlockList
from crawler.frontier import Candidate, Policy, SqliteFrontier, Stats
from crawler.frontier.base import DEPTHS
from crawler.frontier.redis import RedisFrontier
from crawler.items import document_id


def job(base: str, *, seeds: str = "", scope: str = "", limits: str = "") -> str:
    return f"""
[seeds]
{seeds or f'urls = ["{base}/"]'}
[scope]
{scope}
[limits]
{limits}
[politeness]
delay = 0
"""


def visited(crawling: Crawling) -> list[str]:
    return sorted(page["url"].split("/", 3)[3] for page in crawling.pages())


def test_a_seed_may_lead_where_no_link_would(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/": (301, {"Location": "/home"}, ""),
        "/home": (200, {}, PAGE + "<a href=/news/1>1</a><a href=/shop/1>2</a>"),
        "/news/1": (301, {"Location": "/shop/2"}, ""),
        "/shop/2": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job(web.base, scope="include = ['/news/']"))
    code, errors = crawling.run()
    assert code == 0
    assert visited(crawling) == ["home"]
    assert crawling.stats().outcomes["redirect-out-of-scope"] == 1
    assert f"{web.base}/news/1 redirects to {web.base}/shop/2, which is out of scope" in errors


def test_what_was_taken_down_is_not_asked_for(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/": (200, {}, PAGE + "<a href=/gone>1</a><a href=/kept>2</a>"),
        "/gone": (200, {}, PAGE),
        "/kept": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job(web.base))
    BlockList.add(crawling.output, [document_id(f"{web.base}/gone")], [])
    assert crawling.run()[0] == 0
    assert visited(crawling) == ["", "kept"]
    assert "/gone" not in web.asked
    assert crawling.stats().outcomes["blocked"] == 1


def test_a_list_may_move_to_any_name_but_not_to_any_host(web: Web, tmp_path: Path) -> None:
    elsewhere = web.base.replace("127.0.0.1", "127.0.0.2")
    index = "".join(
        f"<sitemap><loc>{url}</loc></sitemap>"
        for url in (f"{web.base}/more.xml.gz", f"{elsewhere}/theirs.xml")
    )
    web.answers |= {
        "/sitemap.xml": (301, {"Location": "/sitemap.xml.gz"}, ""),
        "/sitemap.xml.gz": (200, {}, f"<sitemapindex>{index}</sitemapindex>"),
        "/more.xml.gz": (200, {}, f"<urlset><url><loc>{web.base}/a</loc></url></urlset>"),
        "/theirs.xml": (200, {}, f"<urlset><url><loc>{web.base}/b</loc></url></urlset>"),
        "/a": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job(web.base, seeds=f'sitemaps = ["{web.base}/sitemap.xml"]'))
    assert crawling.run()[0] == 0
    assert visited(crawling) == ["a"]
    assert "/theirs.xml" not in web.asked


def test_a_list_that_is_not_there_is_told_of(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {}, PAGE)
    seeds = f'urls = ["{web.base}/"]\nsitemaps = ["{web.base}/gone.xml"]'
    code, errors = Crawling(tmp_path, job(web.base, seeds=seeds)).run()
    assert code == 0
    assert f"could not read the sitemap {web.base}/gone.xml: not-found" in errors


@pytest.mark.parametrize("location", ["/caf\u00c3\u00a9", "/caf%C3%A9", "caf\u00c3\u00a9#top"])
def test_a_location_may_be_raw_utf_8(web: Web, tmp_path: Path, location: str) -> None:
    # As bytes on the wire: the header is sent as Latin-1.
    web.answers |= {
        "/": (302, {"Location": location}, ""),
        "/caf%C3%A9": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job(web.base))
    assert crawling.run()[0] == 0
    assert visited(crawling) == ["caf%C3%A9"]


def test_canonical_links_lead_no_deeper_than_the_scope(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        f"/{number or ''}": (200, {}, f"<link rel=canonical href=/{number + 1}>{PAGE}")
        for number in range(9)
    }
    crawling = Crawling(tmp_path, job(web.base, scope="depth = 2"))
    assert crawling.run()[0] == 0
    assert visited(crawling) == ["", "1", "2"]


def test_without_a_limit_links_lead_deeper_than_a_frontier_counts(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/": (200, {}, PAGE),
        "/deep": (200, {}, PAGE + "<a href=/deeper>x</a>"),
        "/deeper": (200, {}, PAGE + "<a href=/deepest>x</a>"),
        "/deepest": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job(web.base, scope='depth = "unlimited"'))

    async def found_before() -> None:
        async with await SqliteFrontier.open(crawling.output, job="test") as frontier:
            await frontier.add([Candidate(f"{web.base}/deep", depth=DEPTHS[-1])])

    asyncio.run(found_before())
    assert crawling.run()[0] == 0
    assert visited(crawling) == ["", "deep", "deeper", "deepest"]


def test_a_site_may_have_nothing_but_ipv6(tmp_path: Path) -> None:
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    with Web("::1") as web:
        web.answers |= {"/": (200, {}, PAGE + "<a href=/a>x</a>"), "/a": (200, {}, PAGE)}
        crawling = Crawling(tmp_path, job(web.base))
        assert crawling.run()[0] == 0
    assert visited(crawling) == ["", "a"]


@pytest.mark.parametrize("guarded", [True, False])
def test_a_name_that_leads_into_a_private_network_gives_no_page(
    web: Web, tmp_path: Path, *, guarded: bool
) -> None:
    """Also where something else has taken the place of the guard of the reactor's resolver."""
    web.answers["/"] = (200, {}, PAGE)
    open_network = 'domains = ["localhost", "a.example"]'
    crawling = Crawling(
        tmp_path, job(web.base.replace("127.0.0.1", "localhost"), scope=open_network)
    )
    crawling.job += 'contact = "me@a.example"'
    if not guarded:
        crawling.settings.append('EXTENSIONS={"other_resolver.OtherResolver": 1}')
    assert crawling.run()[0] == 6
    assert crawling.stats().outcomes == {"private-address": 1}
    assert crawling.pages() == []
    assert web.asked == ([] if guarded else ["/robots.txt", "/"])


def test_a_scope_that_was_narrowed_holds_for_what_was_found_before(
    web: Web, tmp_path: Path
) -> None:
    links = "".join(f"<a href=/{name}/{n}>x</a>" for name in ("a", "b") for n in range(5))
    web.answers["/"] = (200, {}, PAGE + links)
    web.answers |= {f"/{name}/{n}": (200, {}, PAGE) for name in ("a", "b") for n in range(5)}
    crawling = Crawling(tmp_path, job(web.base, limits="pages = 1"))
    assert crawling.run()[0] == 0
    crawling.job = job(web.base, scope="exclude = ['/b/', '/$']")
    assert crawling.run()[0] == 0
    assert visited(crawling) == ["", *(f"a/{n}" for n in range(5))]
    assert crawling.stats().outcomes["out-of-scope"] == 5


@pytest.mark.parametrize("narrowed", ["exclude = ['/b/']", "include = ['/a/']"])
def test_a_scope_that_was_narrowed_holds_for_what_a_sitemap_has_listed(
    web: Web, tmp_path: Path, narrowed: str
) -> None:
    paths = [f"/{name}/{n}" for name in ("a", "b") for n in range(5)]
    listed = "".join(f"<url><loc>{web.base}{path}</loc></url>" for path in paths)
    web.answers["/map.xml"] = (200, {}, f"<urlset>{listed}</urlset>")
    # A seed may lead to what is not included.
    web.answers["/"] = (302, {"Location": "/home"}, "")
    web.answers |= {path: (200, {}, PAGE) for path in (*paths, "/home")}
    seeds = f'urls = ["{web.base}/"]\nsitemaps = ["{web.base}/map.xml"]'
    crawling = Crawling(tmp_path, job(web.base, seeds=seeds, limits="pages = 1"))
    assert crawling.run()[0] == 0
    first = visited(crawling)
    crawling.job = job(web.base, seeds=seeds, scope=narrowed)
    assert crawling.run()[0] == 0
    assert {*visited(crawling)} == {*first, "home", *(f"a/{n}" for n in range(5))}


@pytest.mark.parametrize("depth", [0, 3], ids=["a seed", "a link"])
def test_a_worker_takes_and_refuses_nothing_for_which_another_has_widened_the_scope(
    web: Web, tmp_path: Path, depth: int
) -> None:
    needs_redis()
    web.answers |= {"/": (200, {}, PAGE), "/new": (200, {}, PAGE)}
    web.slow["/"] = 0.5

    async def widen(url: str) -> None:
        policy = Policy(delay=0)
        async with await RedisFrontier.open(url, "fleet", policy, scope="wider") as frontier:
            await frontier.add([Candidate(f"{web.base}/new", depth=depth)])

    async def stats(url: str) -> Stats:
        async with await RedisFrontier.attach(url, "fleet") as frontier:
            return await frontier.stats()

    def crawl(depth: int, server: RedisProcess) -> subprocess.Popen[str]:
        tables = {"outputs": f'folder = "{tmp_path}/out"', "politeness": "delay = 0"}
        job = job_file(tmp_path, [f"{web.base}/"], scope=f"depth = {depth}", **tables)
        return worker(job, "-s", f"FRONTIER={server.url}")

    with RedisProcess(tmp_path) as server:
        narrow = crawl(0, server)
        while "/" not in web.asked:
            time.sleep(0.02)
        narrow.send_signal(signal.SIGSTOP)
        asyncio.run(widen(server.url))
        narrow.send_signal(signal.SIGCONT)
        code, errors = ended(narrow)
        assert (code, "Traceback" in errors) == (3, False), errors
        assert "another scope" in errors
        left = asyncio.run(stats(server.url))
        assert (left.done, left.queued, left.leased) == (1, 1, 0)
        assert "/new" not in web.asked
        assert ended(crawl(3, server))[0] == 0
        assert web.asked[-1] == "/new"
