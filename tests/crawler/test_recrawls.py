"""Crawls that come back, as a user runs them: what is fetched then, and what the corpus says."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import loaded_program
import orjson
import pytest
from frontier_audit import audit
from recrawling import Recrawl
from small_web import Web

from benchmarks.fault_site import FaultSite, html_of
from benchmarks.faults.versions import PATHS, PAUSE, RUNS, answers, texts, version_problems
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import verify

pytestmark = pytest.mark.timeout(300)


def test_of_a_site_that_has_not_changed_nothing_is_read(web: Web, tmp_path: Path) -> None:
    paths = [f"/{number}" for number in range(20)]
    bodies = {"/": html_of("Home", links=paths)} | {path: html_of(path) for path in paths}
    web.answers |= {path: (200, {"ETag": f'"{path}"'}, body) for path, body in bodies.items()}
    crawl = Recrawl(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    assert sorted(web.read) == sorted(bodies)
    files = sorted((crawl.corpus / "documents").iterdir())
    web.read.clear()
    assert crawl.run_again() == 0
    assert web.read == []
    assert crawl.stats().outcomes == {"kept": 21, "not-modified": 21}
    assert sorted((crawl.corpus / "documents").iterdir()) == files


def test_a_known_page_whose_owner_now_refuses_is_no_reject(web: Web, tmp_path: Path) -> None:
    web.answers |= {"/": (200, {}, html_of("Home", links=["/a"])), "/a": (200, {}, html_of("A"))}
    crawl = Recrawl(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    web.answers["/a"] = (200, {"TDM-Reservation": "1"}, html_of("A"))
    for _ in range(2):
        assert crawl.run_again() == 0
    assert crawl.stats().outcomes == {"kept": 2, "unchanged": 2, "consent": 2}
    found = verify(crawl.corpus)
    assert (found.documents, found.rejects, found.tombstones) == (2, 0, 1)


@pytest.mark.parametrize("where", ["a file", "a header"])
def test_a_page_that_has_not_changed_is_gone_once_its_host_refuses(
    web: Web, tmp_path: Path, where: str
) -> None:
    web.answers["/"] = (200, {"ETag": '"1"'}, html_of("Home"))
    crawl = Recrawl(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    refusal = orjson.dumps([{"location": "/", "tdm-reservation": 1}]).decode()
    if where == "a file":
        web.answers["/.well-known/tdmrep.json"] = (200, {}, refusal)
    else:
        web.answers["/"] = (200, {"ETag": '"1"', "X-Robots-Tag": "noai"}, html_of("Home"))
    for _ in range(2):
        assert crawl.run_again() == 0
    assert crawl.stats().outcomes == {"kept": 1, "consent": 2}
    assert verify(crawl.corpus).tombstones == 1


def test_known_pages_that_are_refused_are_gone_but_not_those_that_fail(
    web: Web, tmp_path: Path
) -> None:
    refused = [401, 402, 403, 451]
    paths = [f"/{status}" for status in (*refused, 400)]
    bodies = {"/": html_of("Home", links=[*paths, "/loop"])}
    bodies |= {path: html_of(path) for path in (*paths, "/loop")}
    web.answers |= {path: (200, {}, body) for path, body in bodies.items()}
    crawl = Recrawl(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    web.answers |= {path: (int(path[1:]), {}, "No.") for path in paths}
    web.answers["/loop"] = (302, {"Location": "/loop"}, "")
    for _ in range(2):
        assert crawl.run_again() == 0
    failed = {"http-400": 2, "redirect-loop": 2}
    outcomes = {f"http-{status}": 2 for status in refused}
    assert crawl.stats().outcomes == {"kept": 7, "unchanged": 2, **failed, **outcomes}
    merge([crawl.corpus], tmp_path / "now", is_current=True)
    assert texts(tmp_path / "now", "documents", web.base).keys() == {
        (path, 1) for path in ("/", "/400", "/loop")
    }
    assert texts(tmp_path / "now", "tombstones", web.base).keys() == {
        (f"/{status}", 1) for status in refused
    }


class Limited(Recrawl):
    """Of a few pages at a time."""

    def _job(self) -> str:
        return super()._job().replace("[limits]", "[limits]\npages = 3")


def test_a_limit_that_cuts_the_visits_of_known_pages_is_named(web: Web, tmp_path: Path) -> None:
    paths = ["/a", "/b", "/c"]
    web.answers |= {path: (200, {}, html_of(path)) for path in paths}
    web.answers["/"] = (200, {}, html_of("Home", links=paths))
    assert Recrawl(tmp_path, web.base, processes=1).run() == 0
    time.sleep(PAUSE)
    crawl = Limited(tmp_path, web.base, processes=1)
    done = loaded_program.run("crawler", "run", str(crawl.written()))
    assert "finished: limits.pages = 3 reached with 1 URL left" in done.stdout
    assert crawl.stats().due == 1


class Ended(Recrawl):
    """Visits no page again."""

    def _job(self) -> str:
        before, table = super()._job().split("[recrawl]")
        return before + "[limits]" + table.split("[limits]")[1]


def test_a_run_that_is_ended_without_recrawl_keeps_versions_and_visits_to_come(
    web: Web, tmp_path: Path
) -> None:
    paths = ["/a", "/b", "/c"]
    web.answers |= {path: (200, {}, html_of(path)) for path in paths}
    web.answers["/"] = (200, {}, html_of("Home", links=paths))
    crawl = Recrawl(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    # Of pages that are due at once, a limit leaves out the last by their digests.
    with closing(sqlite3.connect(crawl.output / "frontier.sqlite")) as frontier:
        [(url,)] = frontier.execute("SELECT url FROM visits ORDER BY due, digest LIMIT 1")
    tried = f"/{url.partition('/')[2]}"
    for kind, answer in (
        (Limited, (503, {}, "")),
        (Ended, (200, {}, html_of("Second"))),
        (Recrawl, (200, {}, html_of("Third"))),
    ):
        web.answers[tried] = answer
        assert kind(tmp_path, web.base, processes=1).run_again() == 0
    found = texts(crawl.corpus, "documents", web.base)
    assert found.keys() == {*((path, 1) for path in ("/", *paths)), (tried, 2), (tried, 3)}
    assert verify(crawl.corpus).repeats == 0


class Impatient(Recrawl):
    """Tries a page once."""

    def _job(self) -> str:
        return super()._job().replace("[frontier]", "[frontier]\ntries = 1")


def test_a_run_that_gets_no_answer_says_so_whatever_earlier_ones_have_fetched(
    web: Web, tmp_path: Path
) -> None:
    web.answers["/"] = (200, {}, html_of("Home"))
    crawl = Impatient(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    web.answers["/robots.txt"] = (503, {}, "")
    time.sleep(PAUSE)
    done = loaded_program.run("crawler", "run", str(crawl.written()))
    assert done.returncode == 6
    assert done.stderr.endswith("ERROR: again: no URL could be fetched\n")
    assert "no URL could be fetched: 1 have failed, and will be visited again" in done.stdout
    assert crawl.stats().outcomes == {"kept": 1, "failed: robots-unreachable": 1}


class Hopeful(Recrawl):
    """Looks as often at what is gone."""

    def _job(self) -> str:
        return super()._job().replace("least = {", 'greatest = { default = "1s" }\nleast = {')


class Mapped(Hopeful):
    """With a sitemap; tries a page once in a run."""

    def _job(self) -> str:
        job = super()._job().replace("[frontier]", "[frontier]\ntries = 1")
        return job.replace("[seeds]", f'[seeds]\nsitemaps = ["{self.base}/sitemap.xml"]')


def test_what_was_not_there_at_first_is_found_by_a_later_run(web: Web, tmp_path: Path) -> None:
    paths = ["/late", "/moved", "/refused", "/broken", "/disallowed", "/forbidden"]
    bodies = {path: html_of(path) for path in (*paths, "/listed")}
    robots = "User-agent: *\nDisallow: /disallowed"
    web.answers |= {path: (200, {}, body) for path, body in bodies.items()}
    healthy = dict(web.answers)
    healthy["/"] = (200, {}, html_of("Home", links=[*paths, "/denied"]))
    web.answers |= {
        "/": healthy["/"],
        "/robots.txt": (200, {"Cache-Control": "max-age=1"}, robots),
        "/sitemap.xml": (404, {}, ""),
        "/late": (404, {}, ""),
        "/moved": (302, {"Location": "/"}, ""),
        "/refused": (403, {}, ""),
        "/broken": (500, {}, ""),
        "/forbidden": (200, {"TDM-Reservation": "1"}, bodies["/forbidden"]),
    }
    crawl = Mapped(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    first = crawl.stats()
    assert first.outcomes == {
        **dict.fromkeys(("kept", "redirected", "http-403", "robots", "failed: http-500"), 1),
        "not-found": 3,
        "rejected: consent": 1,
    }
    assert first.dead == 0
    web.answers |= healthy
    web.answers["/robots.txt"] = (404, {}, "")
    web.answers["/denied"] = (200, {"TDM-Reservation": "1"}, html_of("Denied"))
    listed = f"<urlset><url><loc>{web.base}/listed</loc></url></urlset>"
    web.answers["/sitemap.xml"] = (200, {}, listed)
    assert crawl.run_again() == 0
    merge([crawl.corpus], tmp_path / "now", is_current=True)
    found = texts(tmp_path / "now", "documents", web.base)
    assert found.keys() == {(path, 1) for path in (*paths, "/", "/listed")}
    whole = verify(crawl.corpus)
    assert (whole.rejects, whole.tombstones) == (2, 0)


def test_a_page_that_is_back_as_it_was_is_in_the_corpus_again(web: Web, tmp_path: Path) -> None:
    page = (200, {"ETag": '"1"'}, html_of("A"))
    web.answers |= {"/": (200, {}, html_of("Home", links=["/a"])), "/a": page}
    crawl = Hopeful(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    for answer in (None, None, page, page):
        web.answers["/a"] = answer or (404, {}, "")
        assert crawl.run_again() == 0
    assert crawl.stats().outcomes == {"kept": 3, "unchanged": 4, "not-found": 2, "not-modified": 1}
    found = verify(crawl.corpus)
    assert (found.documents, found.tombstones, found.repeats) == (3, 1, 0)


class Unrepeated(Recrawl):
    """Of texts that several pages have, the first is kept."""

    def _job(self) -> str:
        return super()._job().replace('duplicates = "keep"', 'duplicates = "drop"')


class Narrowed(Recrawl):
    """Without a page."""

    def _job(self) -> str:
        return super()._job().replace("[recrawl]", "exclude = ['/a$']\n[recrawl]")


class Hinted(Mapped):
    """Visits pages again only if its sitemap says that they have changed."""

    def _job(self) -> str:
        job = super()._job().replace('interval = "1s"', 'interval = "1d"')
        return job.replace('greatest = { default = "1s" }', 'greatest = { sitemap = "1s" }')


class NarrowedMapped(Narrowed, Mapped):
    """Both."""


def test_pages_that_move_are_kept_where_they_are_now(web: Web, tmp_path: Path) -> None:
    text = html_of("A")
    web.answers |= {"/": (200, {}, html_of("Home", links=["/old"])), "/old": (200, {}, text)}
    crawl = Unrepeated(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    web.answers["/old"] = (301, {"Location": "/new"}, "")
    web.answers["/new"] = (200, {"ETag": '"1"'}, text)
    for _ in range(4):
        assert crawl.run_again() == 0
    outcomes = crawl.stats().outcomes
    assert (outcomes["kept"], outcomes["rejected: duplicate"], outcomes["redirected"]) == (3, 1, 2)
    found = verify(crawl.corpus)
    assert (found.documents, found.rejects, found.tombstones) == (3, 1, 1)


class HopefulUnrepeated(Unrepeated, Hopeful):
    """Both."""


def test_a_redirect_that_is_turned_round_is_no_loop(web: Web, tmp_path: Path) -> None:
    """The page is kept where it is now, and is gone from where it was."""
    text = html_of("A")
    web.answers |= {"/": (200, {}, html_of("Home", links=["/a"])), "/b": (200, {}, text)}
    web.answers["/a"] = (301, {"Location": "/b"}, "")
    crawl = HopefulUnrepeated(tmp_path, web.base, processes=1)
    assert crawl.run() == 0
    web.answers |= {"/a": (200, {}, text), "/b": (301, {"Location": "/a"}, "")}
    for _ in range(3):
        assert crawl.run_again() == 0
    merge([crawl.corpus], tmp_path / "now", is_current=True)
    assert texts(tmp_path / "now", "documents", web.base).keys() == {("/", 1), ("/a", 1)}
    assert texts(tmp_path / "now", "tombstones", web.base).keys() == {("/b", 1)}


@pytest.mark.parametrize(
    ("status", "visits"),
    [
        (200, {"kept": 2, "unchanged": 3}),
        (400, {"kept": 1, "unchanged": 2, "http-400": 2}),
    ],
)
def test_known_pages_outlast_a_run_that_excludes_them(
    web: Web, tmp_path: Path, status: int, visits: dict[str, int]
) -> None:
    web.answers |= {"/": (200, {}, html_of("Home", links=["/a"])), "/a": (status, {}, html_of("A"))}
    assert Recrawl(tmp_path, web.base, processes=1).run() == 0
    read = ["/a" in web.read]
    for kind in (Narrowed, Recrawl):
        web.read.clear()
        crawl = kind(tmp_path, web.base, processes=1)
        assert crawl.run_again() == 0
        read.append("/a" in web.read)
    assert read == [True, False, True]
    assert crawl.stats().outcomes == {**visits, "out-of-scope": 1}


def test_a_list_that_a_narrower_scope_excludes_is_not_read_again(web: Web, tmp_path: Path) -> None:
    index = f"<sitemapindex><sitemap><loc>{web.base}/a</loc></sitemap></sitemapindex>"
    web.answers |= {"/sitemap.xml": (200, {}, index), "/a": (200, {}, "<urlset></urlset>")}
    assert Mapped(tmp_path, web.base, processes=1).run() == 0
    web.read.clear()
    crawl = NarrowedMapped(tmp_path, web.base, processes=1)
    assert crawl.run_again() == 0
    assert ("/sitemap.xml" in web.read, "/a" in web.read) == (True, False)
    assert crawl.stats().outcomes["out-of-scope"] == 1


def test_a_wider_scope_takes_in_the_links_of_pages_and_lists_that_have_not_changed(
    web: Web, tmp_path: Path
) -> None:
    listed = f"<urlset><url><loc>{web.base}/b/a</loc></url></urlset>"
    web.answers |= {path: (200, {}, html_of(path)) for path in ("/a", "/b/a")}
    web.answers["/"] = (200, {"ETag": '"1"'}, html_of("Home", links=["/a"]))
    web.answers["/sitemap.xml"] = (200, {"ETag": '"1"'}, listed)
    assert NarrowedMapped(tmp_path, web.base, processes=1).run() == 0
    assert sorted(web.read) == ["/", "/sitemap.xml"]
    crawl = Mapped(tmp_path, web.base, processes=1)
    assert crawl.run_again() == 0
    assert crawl.stats().outcomes == {"kept": 3, "unchanged": 1, "sitemap": 2}
    assert crawl.run_again() == 0
    assert crawl.stats().outcomes["not-modified"] == 2


def test_hints_that_are_put_off_are_followed_though_their_list_is_as_it_was(
    web: Web, tmp_path: Path
) -> None:
    paths = [f"/{number}" for number in range(12)]

    def serve(version: int, date: str) -> None:
        entries = "".join(
            f"<url><loc>{web.base}{path}</loc><lastmod>{date}</lastmod></url>" for path in paths
        )
        tag = {"ETag": f'"{version}"'}
        web.answers["/sitemap.xml"] = (200, tag, f"<urlset>{entries}</urlset>")
        pages = {path: html_of(f"{path} {version}") for path in paths}
        web.answers.update({path: (200, {}, body) for path, body in pages.items()})

    web.answers["/"] = (200, {}, html_of("Home"))
    crawl = Hinted(tmp_path, web.base, processes=1)
    serve(1, "2020-01-01")
    assert crawl.run() == 0
    time.sleep(PAUSE)
    serve(2, datetime.now(UTC).isoformat())
    # What the host says of ten pages is right, so it is believed of the others.
    for kept in (13 + 10, 13 + 12, 13 + 12):
        assert crawl.run_again() == 0
        assert crawl.stats().outcomes["kept"] == kept
    assert crawl.stats().outcomes["not-modified"] == 1


def killed(crawl: Recrawl, site: FaultSite, requests: int) -> None:
    """Begin a run, and kill it after so many requests."""
    before = len(site.asked)
    with ThreadPoolExecutor(1) as thread:
        running = thread.submit(crawl.run)
        while len(site.asked) < before + requests and not running.done():
            time.sleep(0.01)
        assert not running.done(), (running.result(), crawl.stats())
        os.kill(int((crawl.output / "frontier.lock").read_text()), signal.SIGKILL)
        assert running.result() == -signal.SIGKILL


def test_kills_neither_lose_nor_double_nor_reorder_versions(tmp_path: Path) -> None:
    chance = random.Random(5)
    with FaultSite(latency=0.02) as site:
        crawl = Recrawl(tmp_path, site.base, processes=1)
        for run in range(RUNS):
            site.answers = answers(run)
            if run > 0:
                time.sleep(PAUSE)
                killed(crawl, site, chance.randint(1, len(PATHS) - 5))
            assert crawl.run() == 0
    audit(sqlite3.connect(crawl.output / "frontier.sqlite"))
    assert list(version_problems(crawl.corpus, tmp_path, site.base)) == []
