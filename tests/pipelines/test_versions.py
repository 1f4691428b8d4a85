"""What a page that is visited again leaves in the corpus."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread, current_thread
from types import SimpleNamespace
from typing import Any, cast

import pytest
from corpus_samples import document, page, unheard
from held_samples import held_page, row
from hypothesis import given, settings
from hypothesis import strategies as st
from versioned_site import WORDS, Site, lines

from crawler.frontier.base import Ack
from crawler.frontier.lease_holder import LeaseHolder
from crawler.items import Document
from crawler.lease import Lease
from crawler.outcomes import Rejection, Unchanged
from crawler.recrawl.history import History
from pipelines.corpus.held_page import HeldRow
from pipelines.corpus.held_pages import HeldPages, Settled
from pipelines.corpus.layout import KINDS
from pipelines.corpus.merge import merge
from pipelines.corpus.verification import EXIT_REPEATS, EXIT_SOUND, verify
from pipelines.corpus_output import CorpusOutput
from pipelines.versions.lineage import Lineage, Step


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path / "corpus")


def versions(site: Site) -> list[tuple[int, str]]:
    return [(version, text) for version, text, _ in lines(site.folder, "documents")]


def test_an_unchanged_page_writes_nothing(site: Site) -> None:
    assert site.visit(1, WORDS) is None
    assert isinstance(site.visit(1, WORDS), Unchanged)
    assert isinstance(site.visit(1, WORDS + "\n\n3 comments"), Unchanged)
    assert versions(site) == [(1, WORDS)]
    assert site.outcomes == ["kept", "unchanged", "unchanged"]


def test_a_changed_page_writes_its_next_version(site: Site) -> None:
    texts = [WORDS, WORDS + "Then it stopped, and nobody in the town knew why.", WORDS]
    assert [site.visit(1, text, days=2) for text in texts] == [None] * 3
    assert versions(site) == list(enumerate(texts, start=1))
    first, second, third = (metadata for *_, metadata in lines(site.folder, "documents"))
    assert (first["changed_at"], first["previous"]) == (None, None)
    assert second["first_seen"] == third["first_seen"] == first["fetched_at"]
    assert (second["previous"], second["changed_at"]) == (first["fetched_at"], second["fetched_at"])
    assert third["previous"] == second["fetched_at"]


def test_texts_are_compared_beside_the_event_loop(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: set[Thread] = set()
    compared = Lineage.kept

    def noted(lineage: Lineage, found: Document) -> Step:
        threads.add(current_thread())
        return compared(lineage, found)

    monkeypatch.setattr(Lineage, "kept", noted)
    site.visit(1, WORDS)
    assert [thread.name for thread in threads] == ["page outputs_0"]


def test_small_changes_add_up(site: Site) -> None:
    entries = [f"Entry {number} with some words of the list of rivers" for number in range(50)]
    site.visit(1, "\n".join(entries))
    found = []
    for _ in range(5):
        entries = [f"New {len(found)}.{place} of the rivers" for place in range(6)] + entries[:44]
        found.append(site.visit(1, "\n".join(entries)))
    assert isinstance(found[0], Unchanged)
    assert None in found


def test_what_is_rejected_again_is_not_written_again(site: Site) -> None:
    found = [site.visit(1, text) for text in ("short", "brief", WORDS, "short", "brief", WORDS)]
    assert [type(one).__name__ for one in found] == [
        *("Rejection", "Unchanged", "NoneType", "Rejection", "Unchanged", "Unchanged")
    ]
    assert versions(site) == [(1, WORDS)]
    assert [version for version, *_ in lines(site.folder, "rejects")] == [1, 2]
    assert verify(site.folder).exit_code == EXIT_SOUND


def test_a_reject_is_written_once_for_each_version_and_reason(site: Site) -> None:
    later = WORDS + "Then it stopped, and nobody in the town knew why."
    site.visit(2, later)
    for text in ("short", WORDS, "short", WORDS, later, "short", WORDS + "It never stopped."):
        site.visit(1, text)
    site.visit(1, "short")
    rejects = [(one["version"], one["reject_reason"]) for *_, one in lines(site.folder, "rejects")]
    assert rejects == [(1, "too-short"), (2, "too-short"), (2, "duplicate"), (3, "too-short")]
    assert [version for version, text in versions(site) if text != later] == [1, 2]
    assert verify(site.folder).exit_code == EXIT_SOUND


def test_a_page_that_is_twice_not_found_gets_one_tombstone(site: Site) -> None:
    site.visit(1, WORDS)
    assert [site.miss(1) for _ in range(3)] == [False, True, False]
    ((version, text, metadata),) = lines(site.folder, "tombstones")
    assert (version, text, metadata["gone_reason"]) == (1, "", "not-found")
    assert verify(site.folder).tombstones == 1


def test_a_page_that_comes_back_between_two_visits_was_never_gone(site: Site) -> None:
    site.visit(1, WORDS)
    assert not site.miss(1)
    assert isinstance(site.visit(1, WORDS), Unchanged)
    assert not site.miss(1)
    assert not (site.folder / "tombstones").exists()


def test_a_page_that_comes_back_from_the_dead_is_a_new_version(site: Site) -> None:
    site.visit(1, WORDS)
    site.miss(1)
    site.miss(1)
    assert site.visit(1, WORDS) is None
    assert versions(site) == [(1, WORDS), (2, WORDS)]


def test_a_page_that_comes_back_after_a_placeholder_is_a_new_version(site: Site) -> None:
    site.visit(1, WORDS)
    assert [site.miss(1) for _ in range(2)] == [False, True]
    assert isinstance(site.visit(1, "Back soon."), Rejection)
    assert isinstance(site.visit(1, "Back soon."), Unchanged)
    assert [site.miss(1) for _ in range(2)] == [False, False]
    assert site.visit(1, WORDS) is None
    assert [site.miss(1) for _ in range(2)] == [False, True]
    assert versions(site) == [(1, WORDS), (2, WORDS)]
    assert [version for version, *_ in lines(site.folder, "tombstones")] == [1, 2]
    assert verify(site.folder).exit_code == EXIT_SOUND


def test_a_page_that_was_never_kept_has_no_tombstone(site: Site) -> None:
    site.visit(1, "short")
    assert [site.miss(1) for _ in range(3)] == [False] * 3


def test_the_current_state_is_the_last_version_of_what_is_not_gone(site: Site) -> None:
    later = WORDS + "Then it stopped, and nobody in the town knew why."
    for number in (1, 2, 3):
        site.visit(number, f"{number}: {WORDS}")
    site.visit(1, f"1: {later}")
    for number in (2, 3):
        site.miss(number)
        site.miss(number)
    site.visit(3, f"3: {WORDS}")
    out = site.folder.with_name("current")
    merge([site.folder], out, is_current=True)
    assert [text[:3] for _, text, _ in lines(out, "documents")] == ["1: ", "3: "]
    assert [version for version, *_ in lines(out, "documents")] == [2, 2]
    assert len(lines(out, "tombstones")) == 1
    assert verify(out).exit_code == EXIT_SOUND
    # It may be made of itself and of what came later, in any order.
    site.visit(1, f"1: {WORDS}")
    merge([site.folder, out], out.with_name("again"), is_current=True)
    assert (3, f"1: {WORDS}") in [line[:2] for line in lines(out.with_name("again"), "documents")]


def test_a_kill_before_the_acknowledgement_gives_the_same_version_again(site: Site) -> None:
    site.visit(1, WORDS)
    site.forgets = True
    text = WORDS + "Then it stopped, and nobody in the town knew why."
    site.visit(1, text)
    site.forgets = False
    site.visit(1, text)
    assert [version for version, _ in versions(site)] == [1, 2, 2]
    assert verify(site.folder).exit_code == EXIT_REPEATS
    merged = merge([site.folder], site.folder.with_name("merged"))
    assert (merged.documents, merged.repeats) == (2, 1)
    assert isinstance(site.visit(1, text), Unchanged)


def test_a_page_that_waited_for_its_site_is_compared_when_it_is_read(site: Site) -> None:
    site.visit(1, WORDS)
    history = History.read(site.histories[page(1).lease.url])
    waiting = replace(held_page(1), lease=site.lease(1), document=document(1, WORDS))
    found = site.work(lambda output: output.take(waiting, waiting.document))
    assert isinstance(found, Unchanged)
    changed = replace(waiting.document, text=WORDS + "Then the rain in the town stopped at last.")

    async def hold_and_take(output: CorpusOutput) -> Any:
        await output.hold(
            site.page(1), waiting.document, lambda _: HeldRow.of(waiting, "host", b"", b"")
        )
        await output.flush()
        return await output.take(waiting, changed)

    assert site.work(hold_and_take) is None
    assert versions(site) == [(1, WORDS), (2, changed.text)]
    later = History.read(site.histories[page(1).lease.url])
    assert (later.version, history.version) == (2, 1)
    assert later.fingerprint != history.fingerprint


@pytest.mark.parametrize("version", [1, 2])
def test_held_pages_of_an_earlier_release_are_taken_over(tmp_path: Path, version: int) -> None:
    file = tmp_path / "held.sqlite"
    old, new = sorted([row(1), row(2)], reverse=True)
    with closing(HeldPages(file)) as held:
        held.settle([old], {})
        assert held._db is not None
        held._db.executescript(
            "DROP INDEX pages_of_hosts; ALTER TABLE pages DROP COLUMN place;"
            "CREATE INDEX pages_of_hosts ON pages (host, id);"
            "ALTER TABLE recount DROP COLUMN teller;"
        )
        if version == 1:
            held._db.execute("ALTER TABLE recount DROP COLUMN visits")
        held._db.execute(f"PRAGMA user_version = {version}")
    with closing(HeldPages(file)) as held:
        assert held.count == 1
        held.settle([new], {})
        taken = held.take("example.com", 2, is_last=True)
        assert [one.id for one in taken] == [old.id, new.id]
        held.settle([], {old.id: Settled("kept", "https://example.com/1")})
        assert held.untold is not None


def test_a_job_that_visits_once_remembers_nothing(tmp_path: Path) -> None:
    site = Site(tmp_path / "corpus")

    async def work() -> None:
        leases = SimpleNamespace(ack_all=ack_all, frontier=site)
        made = CorpusOutput(site.folder, "w", cast("LeaseHolder", leases), on_failure=unheard)
        async with made as output:
            await output.take(page(1), document(1, WORDS))

    async def ack_all(acks: Sequence[Ack]) -> list[Lease]:
        assert [(ack.visit, dict(ack.counts)) for ack in acks] == [(None, {})]
        return []

    asyncio.run(work())
    ((version, _, metadata),) = lines(site.folder, KINDS[0])
    assert (version, metadata["previous"]) == (1, None)


TEXTS = [f"{WORDS}{end}" for end in ("", "Then it stopped at noon on Friday.", "It never stopped.")]
SHORT = "Back soon."
VISITS = st.tuples(st.integers(0, 2), st.sampled_from([*TEXTS, SHORT, None]), st.booleans())


@settings(max_examples=12, deadline=None)
@given(visits=st.lists(VISITS, max_size=12))
def test_no_version_is_lost_doubled_or_out_of_order_whatever_is_killed(
    visits: list[tuple[int, str | None, bool]],
) -> None:
    """A kill is between what is on disk and the acknowledgement; then the visit comes again."""
    with TemporaryDirectory() as folder:
        site = Site(Path(folder) / "corpus")
        texts: dict[int, list[str]] = {0: [], 1: [], 2: []}
        gone: set[int] = set()
        for number, text, is_killed in visits:
            for site.forgets in [True, False] if is_killed else [False]:
                if text is None:
                    site.miss(number)
                else:
                    site.visit(number, f"{number} {text}")
            if text is None:
                gone |= {number} if site.is_gone(number) else set()
            elif text == SHORT:
                continue
            elif number in gone or texts[number][-1:] != [text]:
                texts[number].append(text)
                gone.discard(number)
        if not visits:
            return
        if not any(is_killed for *_, is_killed in visits):
            assert verify(site.folder).exit_code == EXIT_SOUND
        for name, is_current in (("all", False), ("current", True)):
            merge([site.folder], Path(folder) / name, is_current=is_current)
            assert verify(Path(folder) / name).exit_code == EXIT_SOUND
        found = Counter(line[:2] for line in lines(Path(folder) / "all", "documents"))
        every = {
            (version, f"{number} {text}")
            for number, some in texts.items()
            for version, text in enumerate(some, start=1)
        }
        assert found == Counter(every)
        current = {line[:2] for line in lines(Path(folder) / "current", "documents")}
        assert current == {
            (len(some), f"{number} {some[-1]}")
            for number, some in texts.items()
            if some and number not in gone
        }
