"""Pages that wait for their site: what is kept of them, and for how long."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import pytest
import zstandard
from corpus_samples import document
from held_samples import held_page, row
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_commons.one_thread import OneThread
from crawler.frontier import Candidate, Policy, SqliteFrontier
from crawler.frontier.visits import Visit
from crawler.html import Html
from crawler.items import Document
from crawler.lease import Lease
from pipelines.corpus.errors import CorpusError, DamagedError
from pipelines.corpus.held_page import HeldPage, HeldRow
from pipelines.corpus.held_pages import HeldPages, Settled
from pipelines.reading.content import ContentTask
from pipelines.waiting_pages import WaitingPages

URL = "https://example.com/1"
LEASE = replace(Lease.of_none(URL), host="example.com", history="[1,2]", hinted=True)
HEADERS = (("etag", '"1"'),)

TEXTS = st.text(st.characters(exclude_categories=()))


@given(
    html=st.builds(
        Html,
        st.one_of(st.binary(), TEXTS),
        charset=st.none() | st.just("utf-8"),
        is_xhtml=st.booleans(),
        is_rendered=st.booleans(),
    ),
    url=st.text(max_size=50),
    kind=st.none() | st.just("article"),
)
def test_a_page_leaves_as_it_came(html: Html, url: str, kind: str | None) -> None:
    task = ContentTask(html, url, "boosted-blocks", kind)
    held = HeldRow.of(HeldPage(document(1), task, LEASE, HEADERS), "example.com", b"", b"")
    made = held.page()
    assert (made.task, made.lease, made.headers) == (task, LEASE, HEADERS)
    assert made.document.to_json() == document(1).to_json()


def test_a_page_of_an_earlier_release_is_read() -> None:
    html = "<p>Łódź".encode("iso-8859-2")
    task = {"url": URL, "method": "goce", "kind": "article", "charset": "latin2", "is_text": False}
    new = HeldRow.of(held_page(1), "example.com", b"", b"")
    stored = new._replace(html=zstandard.compress(html), task=orjson.dumps(task))
    assert stored.page().task == ContentTask(Html(html, "latin2"), URL, "goce", "article")
    rendered = {**task, "charset": None, "is_xhtml": False, "is_rendered": True, "is_text": True}
    stored = new._replace(html=zstandard.compress(b"<p>A"), task=orjson.dumps(rendered))
    assert stored.page().task.html == Html("<p>A", is_rendered=True)


@given(
    text=TEXTS,
    title=st.none() | TEXTS,
    scores=st.dictionaries(st.sampled_from(["article", "list-view"]), st.floats(0, 1)),
    extra=st.sampled_from([{}, {"comments": "A comment"}]),
    site_pages=st.none() | st.integers(0, 20),
)
def test_a_document_is_what_its_line_says(
    text: str,
    title: str | None,
    scores: dict[str, float],
    extra: dict[str, str],
    site_pages: int | None,
) -> None:
    line = document(
        3, text, title=title, genre_scores=scores, extra=extra, site_pages=site_pages
    ).to_json()
    assert Document.from_json(line).to_json() == line


def test_pages_are_there_until_their_lines_are_safe(tmp_path: Path) -> None:
    file = tmp_path / "state/held.sqlite"
    with closing(HeldPages(file)) as held:
        assert (held.count, file.exists()) == (0, False)
        held.settle([row(1), row(2), row(3, "other.test")], {})
    with closing(HeldPages(file)) as held:
        assert held.count == 3
        assert held.hosts_after("", 9) == ["example.com", "other.test"]
        assert held.hosts_after("example.com", 9) == ["other.test"]
        assert held.marks("example.com", 9) == {b"key 1": b"marks of 1", b"key 2": b"marks of 2"}
        held.settle(
            [], {row(1).id: Settled("kept", URL), row(2).id: Settled("rejected: too-short", URL)}
        )
        assert held.hosts_after("", 9) == ["other.test"]
    with closing(HeldPages(file)) as held:
        assert held.count == 1


@pytest.mark.parametrize("skew", [0, 7200])
def test_workers_of_one_name_in_two_folders_are_both_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, skew: int
) -> None:
    """As on machines whose host names are the same, with clocks that may differ."""

    async def flush() -> None:
        return None

    async def work() -> Mapping[str, int]:
        async with await SqliteFrontier.open(tmp_path, Policy(delay=0)) as frontier:
            for machine, clock in enumerate((time.time(), time.time() - skew)):
                page = row(machine)
                await frontier.add([Candidate(f"http://{machine}.test/")])
                (lease,) = await frontier.lease(1)
                await frontier.ack(lease, "held")
                monkeypatch.setattr(time, "time", lambda clock=clock: clock)
                held = HeldPages(tmp_path / f"{machine}.sqlite")
                thread = OneThread("held")
                waiting = WaitingPages(held, thread, frontier, "host-1", flush)
                await thread.run(held.settle, [page], {})
                await thread.run(held.settle, [], {page.id: Settled("kept", URL)})
                await waiting.recount()
                await waiting.recount()
                waiting.close()
                await thread.close()
            return (await frontier.stats()).outcomes

    assert asyncio.run(work()) == {"kept": 2}


def test_a_list_at_the_address_of_an_unacknowledged_page_leaves_that_alone(tmp_path: Path) -> None:
    """Such as a page that robots.txt names as a sitemap. A visit of the page takes it out."""
    lease = held_page(1).lease

    async def flush() -> None:
        return None

    async def counts() -> list[int]:
        async with await SqliteFrontier.open(tmp_path, Policy(delay=0)) as frontier:
            held, thread = HeldPages(tmp_path / "held.sqlite"), OneThread("held")
            waiting = WaitingPages(held, thread, frontier, "worker-1", flush)
            found = []
            for visit in (replace(lease, kind="sitemap"), lease):
                await waiting.void([visit])
                found.append(waiting.count)
            waiting.close()
            await thread.close()
            return found

    with closing(HeldPages(tmp_path / "held.sqlite")) as held:
        held.settle([row(1)], {})
    assert asyncio.run(counts()) == [1, 0]


def test_a_file_without_pages_gives_its_space_back(tmp_path: Path) -> None:
    file = tmp_path / "held.sqlite"
    large = HeldRow.of(held_page(1, random.Random(1).randbytes(10**6)), "a.test", b"key", b"marks")
    with closing(HeldPages(file)) as held:
        held.settle([large], {})
    assert file.stat().st_size > 10**6
    with closing(HeldPages(file)) as held:
        held.settle([], {large.id: Settled("kept", URL)})
    assert file.stat().st_size < 10**5


def test_a_page_that_is_read_again_is_taken_by_one_alone(tmp_path: Path) -> None:
    with closing(HeldPages(tmp_path / "held.sqlite")) as held:
        held.settle([row(number) for number in range(7)], {})
        held.acknowledged([row(number).id for number in range(7)], ())
        taken = [{one.id for one in held.take("example.com", 3)} for _ in range(4)]
        assert [len(ids) for ids in taken] == [3, 3, 1, 0]
        assert set.union(*taken) == {row(number).id for number in range(7)}
    with closing(HeldPages(tmp_path / "held.sqlite")) as held:
        assert len(held.take("example.com", 9)) == 7


def test_the_nearest_to_a_seed_is_taken_first_then_the_earliest(tmp_path: Path) -> None:
    def at(number: int, depth: int, second: int) -> HeldRow:
        page = held_page(number)
        moment = page.document.fetched_at.replace(second=second)
        known = replace(page.document, depth=depth, fetched_at=moment)
        return HeldRow.of(replace(page, document=known), "example.com", b"", b"")

    pages = [at(1, 0, 9), at(2, 2, 7), at(3, 2, 8), at(4, 10, 1)]
    for order in (pages, pages[::-1]):
        with closing(HeldPages(tmp_path / f"{order[0].id}.sqlite")) as held:
            held.settle(order, {})
            held.acknowledged([one.id for one in order], ())
            taken = [one.id for _ in range(4) for one in held.take("example.com", 1)]
            assert taken == [one.id for one in pages]
            assert len(held.take("example.com", 9)) == 0


def test_a_page_that_may_come_anew_is_taken_when_none_comes_any_more(tmp_path: Path) -> None:
    file = tmp_path / "held.sqlite"
    with closing(HeldPages(file)) as held:
        held.settle([row(1)], {})
        held.acknowledged([row(1).id], ())
        held.settle([row(2)], {})
    # Killed before the frontier was told of page 2, or before that was noted.
    with closing(HeldPages(file)) as held:
        assert [one.id for one in held.take("example.com", 9)] == [row(1).id]
        assert [one.id for one in held.take("example.com", 9, is_last=True)] == [row(2).id]
        held.settle([], {row(1).id: Settled("kept", URL), row(2).id: Settled("kept", URL)})
        assert held.untold is not None
        assert held.untold.changes == {"held": -2, "kept": 2}


class TestCounts:
    def test_what_became_of_pages_is_told_even_after_a_crash(self, tmp_path: Path) -> None:
        file = tmp_path / "held.sqlite"
        with closing(HeldPages(file)) as held:
            held.settle([row(1), row(2)], {})
            assert held.untold is None
            visited = Settled("kept", URL, Visit(60.0, "[1]"))
            held.settle([], {row(1).id: visited, row(2).id: Settled("rejected: too-short", URL)})
            first = held.untold
        with closing(HeldPages(file)) as held:
            assert first is not None
            assert held.untold == first
            assert first.changes == {"held": -2, "kept": 1, "rejected: too-short": 1}
            assert first.visits == {URL: visited.visit}
            held.told()
        with closing(HeldPages(file)) as held:
            # Nor is a frontier that was begun anew told of it again.
            assert held.untold is None
            held.settle([row(3)], {})
            held.settle([], {row(3).id: Settled("kept", URL)})
            second = held.untold
            assert second is not None
            assert second.number > first.number

    def test_a_page_that_came_anew_is_not_counted_twice(self, tmp_path: Path) -> None:
        with closing(HeldPages(tmp_path / "held.sqlite")) as held:
            held.settle([row(1), row(2), row(3)], {})
            held.acknowledged([row(number).id for number in (1, 2, 3)], {row(2).id})
            # 1 was fetched again and acknowledged by itself; 2 was another worker's; 9 is unknown.
            held.settle(
                [],
                {row(1).id: None, row(2).id: Settled("kept", URL), row(9).id: Settled("kept", URL)},
            )
            assert (held.count, held.untold) == (1, None)


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["hold", "hold and die", "release", "release and die"])))
def test_the_frontier_counts_each_page_once_whenever_the_worker_dies(steps: list[str]) -> None:
    """It dies between what is durable here and what the frontier is told; then it starts again."""
    frontier: Counter[str] = Counter()
    last = 0

    def tell(held: HeldPages) -> None:
        nonlocal last
        if (change := held.untold) is not None:
            if change.number > last:
                frontier.update(change.changes)
                last = change.number
            held.told()

    with TemporaryDirectory() as folder:
        file = Path(folder, "held.sqlite")
        held = HeldPages(file)
        pages = 0
        for step in steps:
            if step.startswith("hold"):
                held.settle([row(pages)], {})
            else:
                rows = held.take("example.com", 2, is_last=True)
                held.settle([], {one.id: Settled("kept", URL) for one in rows})
            if step.endswith("die"):
                held.close()
                held = HeldPages(file)
                tell(held)
            if step.startswith("hold"):
                # After a death, the URL that was not acknowledged comes anew.
                held.settle([row(pages)], {})
                frontier["held"] += 1
                held.acknowledged([row(pages).id], ())
                pages += 1
            tell(held)
        assert frontier["held"] == held.count
        assert frontier.total() == pages
        held.close()


def test_a_file_of_another_version_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "held.sqlite"
    with closing(HeldPages(file)) as held:
        held.settle([row(1)], {})
        assert held._db is not None
        held._db.execute("PRAGMA user_version = 99")
    before = file.read_bytes()
    with pytest.raises(CorpusError, match="version 99, but this crawler needs 4"):
        HeldPages(file)
    assert file.read_bytes() == before


def test_what_is_no_database_is_named(tmp_path: Path) -> None:
    file = tmp_path / "held.sqlite"
    file.write_text("no database, but long enough to have the header of one" * 10)
    with pytest.raises(CorpusError, match=f"{file}.*not a database"):
        HeldPages(file)


def test_html_that_is_not_what_was_stored_is_damage() -> None:
    with pytest.raises(DamagedError, match="does not decompress"):
        row(1)._replace(html=b"torn").page()


def test_killed_at_any_moment_it_has_all_that_was_told(tmp_path: Path) -> None:
    """The file is closed by nobody; what the ledger has was told after it was held."""
    chance = random.Random(3)
    file, ledger = tmp_path / "state/held.sqlite", tmp_path / "ledger"
    ledger.touch()
    program = Path(__file__).with_name("killed_holder.py")
    for _ in range(4):
        with subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, program, file, ledger], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(chance.uniform(0, 0.3))
            process.kill()
    told = {int(number) for number in ledger.read_text().split()}
    assert len(told) > 10
    # Every third page leaves with the next one.
    gone = {number for number in told if number % 3 == 0 and number + 1 in told}
    with closing(HeldPages(file)) as held:
        found = {one.id for one in held.take("example.com", 10**6, is_last=True)}
    # Whether the last one has left is not known.
    assert {row(number).id for number in told - gone - {max(told)}} <= found
    assert not {row(number).id for number in gone} & found
