"""Crawls that begin with files of URLs, sitemaps and feeds, as a user runs them."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from crawling import Crawling
from small_web import PAGE, Web

XML = {"Content-Type": "application/xml"}

pytestmark = pytest.mark.timeout(100)


def test_a_file_of_this_machines_urls_is_crawled_without_a_contact(
    web: Web, tmp_path: Path
) -> None:
    web.answers["/"] = (200, {}, PAGE)
    file = tmp_path / "urls.txt"
    file.write_text(f"{web.base}/\nexample.com\n", encoding="utf-8-sig")
    crawl = Crawling(tmp_path, '[seeds]\nfiles = ["urls.txt"]')
    code, said = crawl.run()
    assert code == 0
    assert [page["url"] for page in crawl.pages()] == [f"{web.base}/"]
    assert f'{file}:2: "example.com" must be an absolute URL; write "https://example.com"' in said


def job(seeds: str, scope: str = "") -> str:
    return f"[seeds]\n{seeds}\n[scope]\n{scope}\n[politeness]\ndelay = 0\n"


def paths(crawl: Crawling, web: Web) -> list[str]:
    return sorted(page["url"].removeprefix(web.base) for page in crawl.pages())


def sitemap(*urls: str) -> str:
    return f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>"


def index(*urls: str) -> str:
    entries = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return f"<sitemapindex>{entries}</sitemapindex>"


def test_robots_txt_of_a_host_in_a_file_names_sitemaps(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/robots.txt": (200, {}, "User-agent: *\nDisallow: /no\nSitemap: /s.xml\n"),
        "/s.xml": (200, XML, sitemap("/a", "/no")),
        "/a": (200, {}, PAGE),
        "/b": (200, {}, PAGE),
    }
    (tmp_path / "urls.txt").write_text(f"{web.base}/b\n")
    crawl = Crawling(tmp_path, job('files = ["urls.txt"]\nrobots_sitemaps = true'))
    code, said = crawl.run()
    assert code == 0
    assert paths(crawl, web) == ["/a", "/b"]
    # One file was read, and one page is forbidden by it.
    outcomes = crawl.stats().outcomes
    assert (outcomes["robots.txt"], outcomes["robots"], outcomes["sitemap"]) == (1, 1, 1)
    assert "listed" not in said
    assert web.asked.count("/robots.txt") == 1, "it is asked for once, for both purposes"


def test_robots_txt_names_sitemaps_of_other_hosts_but_not_their_pages(
    web: Web, tmp_path: Path
) -> None:
    with Web("127.0.0.2") as cdn:
        named = "".join(f"Sitemap: {cdn.base}/{name}.xml\n" for name in ("index", "no"))
        web.answers |= {
            "/robots.txt": (200, {}, named),
            "/": (200, {}, PAGE),
            "/a": (200, {}, PAGE + "<p>More words."),
        }
        cdn.answers |= {
            "/robots.txt": (200, {}, "User-agent: *\nDisallow: /no"),
            "/index.xml": (200, XML, index("/moved.xml", "http://127.0.0.3/s.xml")),
            "/moved.xml": (302, {"Location": "/pages.xml"}, ""),
            "/pages.xml": (200, XML, sitemap(f"{web.base}/a", "/b")),
        }
        crawl = Crawling(tmp_path, job(f'urls = ["{web.base}/"]\nrobots_sitemaps = true'))
        code, said = crawl.run()
    assert code == 0
    assert paths(crawl, web) == ["/", "/a"]
    assert cdn.asked == ["/robots.txt", "/index.xml", "/moved.xml", "/pages.xml"]
    assert f"could not read the sitemap {cdn.base}/no.xml: robots" in said


def test_a_robots_txt_that_another_host_has_names_sitemaps(web: Web, tmp_path: Path) -> None:
    with Web("127.0.0.2") as other:
        web.answers |= {
            "/robots.txt": (301, {"Location": f"{other.base}/robots.txt"}, ""),
            "/": (200, {}, PAGE),
            "/a": (200, {}, PAGE + "<p>More words."),
        }
        other.answers |= {
            "/robots.txt": (200, {}, "Sitemap: /s.xml"),
            "/s.xml": (200, XML, sitemap(f"{web.base}/a")),
        }
        crawl = Crawling(tmp_path, job(f'urls = ["{web.base}/"]\nrobots_sitemaps = true'))
        assert crawl.run()[0] == 0
    assert paths(crawl, web) == ["/", "/a"]
    assert web.asked.count("/robots.txt") == 1


@pytest.mark.parametrize(
    "answer", [(404, {}, ""), (200, {}, ""), (200, {}, "User-agent: *\nAllow: /")]
)
def test_a_robots_txt_without_sitemaps_is_not_told_of(
    web: Web, tmp_path: Path, answer: tuple[int, dict[str, str], str]
) -> None:
    web.answers |= {"/": (200, {}, PAGE), "/robots.txt": answer}
    crawl = Crawling(tmp_path, job(f'urls = ["{web.base}/"]\nrobots_sitemaps = true'))
    code, said = crawl.run()
    assert code == 0
    assert paths(crawl, web) == ["/"]
    assert f"{web.base}/robots.txt" not in said
    assert web.asked.count("/robots.txt") == 1


def test_a_robots_txt_that_fails_is_asked_for_again_and_then_read(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/robots.txt": (503, {"Retry-After": "1"}, ""),
        "/": (200, {}, PAGE),
        "/a": (200, {}, PAGE + "<p>More words."),
        "/s.xml": (200, XML, sitemap("/a")),
    }

    def mend() -> None:
        while not web.asked:
            time.sleep(0.01)
        web.answers["/robots.txt"] = (200, {}, "Sitemap: /s.xml")

    crawl = Crawling(
        tmp_path,
        job(f'urls = ["{web.base}/"]\nrobots_sitemaps = true') + "longest_delay = 1\n",
    )
    with ThreadPoolExecutor(1) as thread:
        thread.submit(mend)
        assert crawl.run()[0] == 0
    assert paths(crawl, web) == ["/", "/a"]
    assert web.asked.count("/robots.txt") == 2


def test_a_list_of_which_nothing_is_taken_is_told_of(web: Web, tmp_path: Path) -> None:
    away = web.base.replace("127.0.0.1", "127.0.0.2")
    web.answers |= {
        "/": (200, {}, PAGE),
        "/robots.txt": (200, {}, f"Sitemap: {away}/s.xml\n"),
        "/away.xml": (200, XML, sitemap(f"{away}/1", f"{away}/2", "/pic.jpg")),
        "/index.xml": (200, XML, index(f"{away}/s.xml")),
        "/empty.xml": (200, XML, ""),
        "/1.xml": (200, XML, index("/2.xml")),
        "/2.xml": (200, XML, index("/3.xml")),
        "/3.xml": (200, XML, index("/4.xml")),
        "/4.xml": (200, XML, index("/5.xml")),
        "/none.xml": (200, XML, "<rss><channel/></rss>"),
    }
    named = ", ".join(
        f'"{web.base}/{name}.xml"' for name in ("away", "index", "empty", "1", "none")
    )
    seeds = f'urls = ["{web.base}/"]\nrobots_sitemaps = true\nsitemaps = [{named}]'
    crawl = Crawling(tmp_path, job(seeds, 'exclude_domains = ["127.0.0.2"]'))
    code, said = crawl.run()
    assert code == 0
    for name, told in {
        "robots.txt": "1 listed, 0 in scope; skipped: domain 1",
        "away.xml": "3 listed, 0 in scope; skipped: domain 2, extension 1",
        "index.xml": "1 listed, 0 in scope; skipped: domain 1",
        "empty.xml": "empty",
        "4.xml": "1 listed, 0 in scope; skipped: nested 1",
        "none.xml": "0 listed, 0 in scope",
    }.items():
        assert f"{web.base}/{name}: {told}\n" in said
    assert f"{web.base}/3.xml" not in said
    assert crawl.stats().outcomes["sitemap-empty"] == 1


def test_a_list_that_is_not_read_to_its_end_is_told_of(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/s.xml": (200, XML, "<urlset>\n<url><loc>/a</loc></url>\n<url><loc>/b</url></urlset>"),
        "/a": (200, {}, PAGE),
    }
    crawl = Crawling(tmp_path, job(f'sitemaps = ["{web.base}/s.xml"]'))
    code, said = crawl.run()
    assert code == 0
    assert paths(crawl, web) == ["/a"]
    assert f"{web.base}/s.xml: read up to line 3: mismatched tag; 1 listed, 1 in scope" in said


def test_a_list_that_is_too_large_is_no_reject(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/": (200, {}, PAGE),
        "/s.xml": (200, XML, sitemap("/a") + " " * 52_428_800),
    }
    seeds = f'urls = ["{web.base}/"]\nsitemaps = ["{web.base}/s.xml"]'
    crawl = Crawling(tmp_path, job(seeds))
    code, said = crawl.run()
    assert code == 0
    assert paths(crawl, web) == ["/"]
    assert "/s.xml: larger than 52,428,800 bytes" in said
    assert crawl.stats().outcomes["sitemap-too-large"] == 1


def test_a_seed_of_a_later_run_is_one_though_it_was_found_before(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/": (200, {}, PAGE + "<a href=/p>p</a><a href=/q>q</a>"),
        "/p": (200, {}, PAGE),
        "/q": (200, {}, PAGE + "<a href=/r>r</a>"),
        "/r": (200, {}, PAGE),
    }
    crawl = Crawling(tmp_path, job(f'urls = ["{web.base}/"]') + "[limits]\npages = 1")
    assert crawl.run()[0] == 0
    scope = "include = ['/r']\ndepth = 1"
    crawl.job = job(f'urls = ["{web.base}/", "{web.base}/q"]', scope)
    assert crawl.run()[0] == 0
    assert paths(crawl, web) == ["/", "/q", "/r"]
    assert {page["asked"]: page["depth"] for page in crawl.pages()}[f"{web.base}/q"] == 0
    assert crawl.stats().outcomes["out-of-scope"] == 1


def test_a_feed_of_a_later_run_is_read_though_it_was_visited_as_a_page(
    web: Web, tmp_path: Path
) -> None:
    entry = "<rss><channel><item><link>/news</link></item></channel></rss>"
    web.answers |= {
        "/": (200, {}, PAGE + "<a href=/feed.xml>feed</a>"),
        "/feed.xml": (200, {"Content-Type": "application/rss+xml"}, entry),
        "/news": (200, {}, PAGE),
    }
    crawl = Crawling(tmp_path, job(f'urls = ["{web.base}/"]'))
    assert crawl.run()[0] == 0
    assert paths(crawl, web) == ["/", "/feed.xml"]
    crawl.job = job(f'urls = ["{web.base}/"]\nfeeds = ["{web.base}/feed.xml"]')
    assert crawl.run()[0] == 0
    assert paths(crawl, web) == ["/", "/feed.xml", "/news"]
    assert crawl.stats().outcomes["feed"] == 1
