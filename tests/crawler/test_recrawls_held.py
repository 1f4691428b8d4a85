"""Pages that a crawl visits again before the text of their first visit is written."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from recrawling import Recrawl
from small_web import Web

from benchmarks.fault_site import html_of
from benchmarks.faults.versions import texts
from pipelines.corpus.verification import verify
from pipelines.corpus.writer import FrameLimits

pytestmark = pytest.mark.timeout(300)

PATHS = ["/same", "/changed", "/gone", "/refused"]
# Then its pages are held, as their site has too few.
ACKNOWLEDGED = FrameLimits().seconds + 1.5


class Mapped(Recrawl):
    """With a sitemap."""

    def _job(self) -> str:
        return super()._job().replace("[seeds]", f'[seeds]\nsitemaps = ["{self.base}/map.xml"]')


def change(web: Web) -> None:
    """Once its pages are held, they change, and then their sitemap says so."""
    while PATHS[-1] not in web.asked:
        time.sleep(0.02)
    time.sleep(ACKNOWLEDGED)
    now = datetime.now(UTC).isoformat()
    web.answers["/changed"] = (200, {}, html_of("Another text"))
    web.answers["/gone"] = (404, {}, "")
    web.answers["/refused"] = (200, {"TDM-Reservation": "1"}, html_of("/refused"))
    of_pages = [f"<url><loc>{web.base}{path}</loc><lastmod>{now}</lastmod></url>" for path in PATHS]
    web.answers["/map.xml"] = (200, {}, f"<urlset>{''.join(of_pages)}</urlset>")


def test_a_page_that_comes_again_while_it_waits_for_its_site_loses_no_version(
    web: Web, tmp_path: Path
) -> None:
    web.answers |= {path: (200, {}, html_of(path)) for path in PATHS}
    web.answers["/"] = (200, {}, html_of("Home", links=PATHS))
    web.slow["/map.xml"] = ACKNOWLEDGED + 2
    changing = threading.Thread(target=change, args=(web,))
    changing.start()
    crawl = Mapped(tmp_path, web.base, visits_per_host=4, processes=1)
    assert crawl.run() == 0
    changing.join()
    assert [web.asked.count(path) for path in PATHS] == [2] * 4
    found = texts(crawl.corpus, "documents", web.base)
    assert found.keys() == {("/", 1), ("/changed", 2), *((path, 1) for path in PATHS)}
    outcomes = {"kept": 6, "unchanged": 1, "not-found": 1, "consent": 1, "sitemap": 1}
    assert crawl.stats().outcomes == outcomes
    assert verify(crawl.corpus).repeats == 0


# A text that a page has by itself, and loses once its site is known.
NOTICE = "The editors thank all members for their letters, and ask them for patience. " * 2


@pytest.mark.parametrize("notice", ["", f"<p>{NOTICE}</p>"])
def test_a_crawl_that_is_killed_while_it_reads_pages_again_loses_none(
    web: Web, tmp_path: Path, notice: str
) -> None:
    """To the next run they are due, though they still wait for their site."""
    paths = [f"/{number}" for number in range(6)]
    web.answers |= {path: (200, {}, html_of(path, words=120) + notice) for path in paths}
    web.answers["/"] = (200, {}, html_of("Home", words=120, links=paths) + notice)
    crawl = Recrawl(tmp_path, web.base, processes=1)
    first = crawl.start()
    while "again, knowing more of the site" not in first.errors and not first.is_over:
        time.sleep(0.005)
    first.kill()
    assert crawl.run_again() == 0
    found = texts(crawl.corpus, "documents", web.base)
    assert found.keys() == {(path, 1) for path in ["/", *paths]}
    assert not any(NOTICE[:20] in text for text in found.values())


def test_a_page_that_a_kill_left_unacknowledged_ends_as_its_next_visit_says(
    web: Web, tmp_path: Path
) -> None:
    paths = [f"/{number}" for number in range(6)]
    web.answers |= {path: (200, {}, html_of(path)) for path in paths}
    web.answers["/"] = (200, {}, html_of("Home", links=paths))
    web.slow[paths[-1]] = 1
    crawl = Recrawl(tmp_path, web.base, processes=1)
    first = crawl.start()
    wait_until(lambda: paths[-1] in web.asked)
    before = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(crawl.output / "frontier.sqlite")) as frontier:
        frontier.backup(before)
    wait_until(lambda: changed_in_held(crawl, "SELECT count(*) FROM pages") == 7)
    first.kill()
    # As if the kill had come before the acknowledgements.
    with closing(sqlite3.connect(crawl.output / "frontier.sqlite")) as frontier, closing(before):
        before.backup(frontier)
    changed_in_held(crawl, "UPDATE pages SET told = 0 RETURNING 0")
    web.answers[paths[-1]] = (404, {}, "")
    assert crawl.run() == 0
    assert crawl.stats().outcomes == {"kept": 6, "not-found": 1}
    assert verify(crawl.corpus).documents == 6


def wait_until(is_so: Callable[[], bool]) -> None:
    while not is_so():
        time.sleep(0.02)


def changed_in_held(crawl: Recrawl, statement: str) -> int:
    """What the statement answers of the held pages; 0 if there are none yet."""
    files = list(crawl.corpus.glob(".state/*/held.sqlite"))
    if not files:
        return 0
    with suppress(sqlite3.OperationalError), closing(sqlite3.connect(files[0])) as db, db:
        return int(db.execute(statement).fetchone()[0])
    return 0
