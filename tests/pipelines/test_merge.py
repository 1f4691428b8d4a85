"""The folders of many workers become one corpus."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import orjson
import pytest
import zstandard
from corpus_samples import document, plain_lines, unheard, write_corpus
from held_samples import row
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.outcomes import Rejection
from pipelines.corpus import duplicate_ids
from pipelines.corpus import merge as merge_module
from pipelines.corpus.duplicate_ids import IdLedger
from pipelines.corpus.errors import CorpusError, DamagedError, ShardDamagedError
from pipelines.corpus.frames import frame
from pipelines.corpus.held_pages import HeldPages
from pipelines.corpus.layout import KINDS, Kind, Layout
from pipelines.corpus.manifest import Manifest
from pipelines.corpus.merge import Merged, merge
from pipelines.corpus.recovery import recover
from pipelines.corpus.shards import Line, Rotation, ShardSeries
from pipelines.corpus.verification import EXIT_DAMAGED, EXIT_SOUND, verify
from pipelines.corpus.writer import CorpusWriter
from pipelines.reporting.corpus_statistics import statistics


def ids(folder: Path, kind: str) -> list[str]:
    return [
        orjson.loads(line)["id"]
        for path in sorted((folder / kind).iterdir())
        for line in plain_lines(path)
    ]


def test_documents_of_all_workers_are_there_once(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", map(document, range(10)), name="a")
    write_corpus(tmp_path / "b", map(document, range(5, 15)), name="b")
    merged = merge([tmp_path / "a", tmp_path / "b"], tmp_path / "all")
    assert (merged.documents, merged.rejects, merged.repeats) == (15, 0, 5)
    assert ids(tmp_path / "all", "documents") == [document(n).id for n in range(15)]
    assert verify(tmp_path / "all").exit_code == EXIT_SOUND
    assert [path.name for path in (tmp_path / "all").glob("manifest*")] == ["manifest-merged.json"]


def test_a_page_that_was_kept_anywhere_is_not_among_the_rejects(tmp_path: Path) -> None:
    why = Rejection("timeout")
    write_corpus(tmp_path / "a", [], [(document(1), why), (document(2), why)], name="a")
    write_corpus(tmp_path / "b", [document(1)], [(document(2), why)], name="b")
    merged = merge([tmp_path / "a", tmp_path / "b"], tmp_path / "all")
    assert (merged.documents, merged.rejects, merged.repeats) == (1, 1, 2)
    assert ids(tmp_path / "all", "documents") == [document(1).id]
    assert ids(tmp_path / "all", "rejects") == [document(2).id]


def test_workers_in_one_folder_are_merged_too(tmp_path: Path) -> None:
    for name in "ab":
        write_corpus(tmp_path / "both", [document(1)], name=name)
    assert merge([tmp_path / "both"], tmp_path / "all").documents == 1


def test_lines_are_copied_as_they_are(tmp_path: Path) -> None:
    one = document(1, "x", title="a", extra={"b": [1.5, None]})
    write_corpus(tmp_path / "a", [one])
    merge([tmp_path / "a"], tmp_path / "all")
    (path,) = (tmp_path / "all/documents").iterdir()
    assert plain_lines(path) == [one.to_json()[:-1]]


def test_merged_shards_rotate(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", map(document, range(3000)))
    merge([tmp_path / "a"], tmp_path / "all", rotation=Rotation(bytes=1000))
    assert len(list((tmp_path / "all/documents").iterdir())) == 3
    assert verify(tmp_path / "all").documents == 3000


def test_a_damaged_shard_is_not_merged(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", [document()])
    shard = tmp_path / "a/documents/worker-000000.jsonl.zst"
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(CorpusError, match="bytes, not"):
        merge([tmp_path / "a"], tmp_path / "all")
    assert not (tmp_path / "all").exists()
    # What a failed merge leaves is in nobody's way.
    write_corpus(tmp_path / "b", [document()])
    assert merge([tmp_path / "b"], tmp_path / "all").documents == 1


@pytest.mark.parametrize("lines", [0, 2])
def test_nor_is_one_with_other_lines_than_its_manifest_says(tmp_path: Path, lines: int) -> None:
    write_corpus(tmp_path / "a", [document()])
    path = tmp_path / "a/manifest-worker.json"
    path.write_bytes(path.read_bytes().replace(b'"documents": 1', b'"documents": %d' % lines))
    with pytest.raises(ShardDamagedError, match=f"has 1 line, not {lines}"):
        merge([tmp_path / "a"], tmp_path / "all")


@pytest.mark.parametrize("limit", ["_FRAME_LINES", "_FRAME_BYTES"])
def test_lines_are_merged_in_portions_that_fit_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(merge_module, limit, 1)
    write_corpus(tmp_path / "a", map(document, range(3)))
    merge([tmp_path / "a"], tmp_path / "all")
    (path,) = (tmp_path / "all/documents").iterdir()
    assert path.read_bytes().count(zstandard.FRAME_HEADER) == 3


def crashed(folder: Path, kind: Kind, numbers: Iterable[int]) -> Path:
    """The shard that a killed writer left open, with a torn frame at its end."""
    layout = Layout(folder, "killed")
    folder.mkdir(exist_ok=True)
    Manifest("killed").save(layout.manifest)
    series = ShardSeries(layout, kind, Manifest("killed"))
    for number in numbers:
        series.append([Line(document(number).to_json(), "2026-05-01T12:00:00.000Z")])
    series.abandon()
    path = layout.open_shard(kind, 0)
    with path.open("ab") as file:
        file.write(frame([document(99).to_json()])[:-20] + bytes(10))
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_shard_that_was_never_completed_is_merged_as_far_as_it_is_whole(
    kind: Kind, tmp_path: Path
) -> None:
    write_corpus(tmp_path / "a", [document(1)])
    left = crashed(tmp_path / "a", kind, [1, 2, 3])
    before = left.read_bytes()
    merged = merge([tmp_path / "a"], tmp_path / "all")
    # A tombstone does not repeat the document that ended.
    repeats = 0 if kind == "tombstones" else 1
    assert merged.documents + merged.rejects + merged.tombstones == 4 - repeats
    assert merged.repeats == repeats
    assert merged.notes == [f"{left} was never completed: its 3 lines are merged"]
    assert verify(tmp_path / "all").exit_code == EXIT_SOUND
    # The writer's own recovery finds it as it was.
    assert left.read_bytes() == before
    recover(Layout(tmp_path / "a", "killed"))
    assert merge([tmp_path / "a"], tmp_path / "again").notes == []


def test_so_is_one_whose_writer_was_killed_before_it_was_listed(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", map(document, range(3)))
    Manifest("worker").save(tmp_path / "a/manifest-worker.json")
    merged = merge([tmp_path / "a"], tmp_path / "all")
    assert merged.documents == 3
    assert "was never completed: its 3 lines" in merged.notes[0]


def test_an_open_shard_without_a_whole_frame_is_passed_over(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", [document(1)])
    crashed(tmp_path / "a", "documents", [])
    merged = merge([tmp_path / "a"], tmp_path / "all")
    assert (merged.documents, merged.notes) == (1, [])


def test_one_that_was_complete_and_is_torn_is_not_merged(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", map(document, range(3)), frame_documents=1)
    Manifest("worker").save(tmp_path / "a/manifest-worker.json")
    shard = tmp_path / "a/documents/worker-000000.jsonl.zst"
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(CorpusError, match="though it was complete"):
        merge([tmp_path / "a"], tmp_path / "all")


def test_what_is_being_written_is_left_out_and_named(tmp_path: Path) -> None:
    async def work() -> Merged:
        folder = tmp_path / "a"
        async with CorpusWriter(folder, "worker", acknowledged, on_failure=unheard) as writer:
            await writer.add(document(1), ack="1")
            await writer.flush()
            return merge([folder], tmp_path / "all")

    async def acknowledged(_: object) -> None:
        pass

    merged = asyncio.run(work())
    path = tmp_path / "a/documents/worker-000000.jsonl.zst.open"
    assert merged.documents == 0
    assert merged.notes == [
        f"{path} is still being written, so it is left out; merge again after its crawl"
    ]
    assert merge([tmp_path / "a"], tmp_path / "whole").documents == 1


def test_an_open_shard_that_no_crash_leaves_so_is_not_merged(tmp_path: Path) -> None:
    left = crashed(tmp_path / "a", "documents", [1, 2])
    content = left.read_bytes()
    left.write_bytes(bytes(10) + content[10:])
    with pytest.raises(CorpusError, match="intact after it"):
        merge([tmp_path / "a"], tmp_path / "all")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    write_corpus(tmp_path / "a", [document()])
    with pytest.raises(CorpusError, match="already exists"):
        merge([tmp_path / "a"], tmp_path / "a")


def test_nor_is_what_other_commands_have_left_beside_it(tmp_path: Path) -> None:
    """A data set of the same name that is not finished, or a corpus."""
    kept = tmp_path / "all.partial"
    write_corpus(kept, [document()])
    assert merge([kept], tmp_path / "all").documents == 1
    assert verify(kept).exit_code == EXIT_SOUND


def test_a_corpus_where_another_is_made_is_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "all.merging"
    write_corpus(source, [document()])
    with pytest.raises(CorpusError, match=r"all\.merging is where .*all is made"):
        merge([source], tmp_path / "all")
    assert verify(source).exit_code == EXIT_SOUND


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_current_state_goes_by_time_and_not_by_the_versions_of_crawls(
    order: list[int], tmp_path: Path
) -> None:
    hour, later = 3600.0, 7200.0
    crawls = [tmp_path / "old", tmp_path / "new"]
    old = [*map(document, range(4)), document(0, "Second.", after=hour, version=2)]
    write_corpus(crawls[0], old, gone=[document(1, "", after=hour)])
    new = [document(number, "Anew.", after=later) for number in range(3)]
    write_corpus(crawls[1], new, gone=[document(2, "", after=later + hour)])
    merged = merge([crawls[at] for at in order], tmp_path / "now", is_current=True)
    assert (merged.documents, merged.tombstones, merged.repeats) == (3, 1, 6)
    assert sorted(ids(tmp_path / "now", "documents")) == sorted(document(n).id for n in (0, 1, 3))
    assert ids(tmp_path / "now", "tombstones") == [document(2).id]
    (path,) = (tmp_path / "now/documents").iterdir()
    texts = [orjson.loads(line)["text"] for line in plain_lines(path)]
    assert sorted(texts) == ["Anew.", "Anew.", document(3).text]


LINES = st.tuples(st.sampled_from("ab"), st.integers(1, 3), st.integers(0, 3))


@given(lines=st.lists(LINES, max_size=20))
def test_the_ledger_finds_what_is_latest(lines: list[tuple[str, int, int]]) -> None:
    with IdLedger() as ledger:
        for line in lines:
            ledger.add(*line)
        latest, every = ledger.latest(), ledger.all_latest()
    for name in "ab":
        own = sorted(
            (time, rank, number) for number, (of, rank, time) in enumerate(lines) if of == name
        )
        found = [number for *_, number in own if number in latest]
        assert found == [number for *when, number in own if when == list(own[-1][:2])][:1]
        since = [number for _, rank, number in own if rank != own[-1][1]][-1:]
        places = [number for *_, number in own]
        run = places[places.index(since[0]) + 1 :] if since else places
        assert [number for number in places if number in every] == run


@settings(max_examples=40)
@given(names=st.lists(st.text(max_size=2), max_size=60), buffered=st.integers(1, 20))
def test_the_ledger_finds_what_a_set_would(names: list[str], buffered: int) -> None:
    with pytest.MonkeyPatch.context() as patch, IdLedger() as ledger:
        patch.setattr(duplicate_ids, "_BUFFERED_IDS", buffered)
        for name in names:
            ledger.add(name)
        found = ledger.duplicates()
        expected = [name in names[:number] for number, name in enumerate(names)]
        assert [number in found for number in range(len(names))] == expected
        assert len(found) == sum(expected)


class TestHeldPages:
    """A worker that died for good leaves pages that waited for their site."""

    def hold(self, folder: Path, numbers: Iterable[int], name: str = "dead") -> None:
        with closing(HeldPages(Layout(folder, name).held)) as held:
            held.settle([row(number) for number in numbers], {})

    def test_they_become_documents_as_they_were_first_read(self, tmp_path: Path) -> None:
        why = Rejection("too-short")
        write_corpus(tmp_path / "a", [document(1)], [(document(2), why)], name="dead")
        write_corpus(tmp_path / "b", [document(3)], name="other")
        self.hold(tmp_path / "a", [1, 2, 3, 4, 5])
        merged = merge([tmp_path / "a", tmp_path / "b"], tmp_path / "all")
        assert (merged.documents, merged.rejects, merged.held, merged.repeats) == (4, 1, 2, 3)
        assert ids(tmp_path / "all", "documents") == [
            document(1).id,
            document(3).id,
            *sorted(document(number).id for number in (4, 5)),
        ]
        assert "5 held pages" in merged.notes[0]
        assert verify(tmp_path / "all").exit_code == EXIT_SOUND

    def test_verify_and_stats_say_how_many_wait(self, tmp_path: Path) -> None:
        write_corpus(tmp_path / "a", [document(1)], name="dead")
        self.hold(tmp_path / "a", [4, 5])
        found = verify(tmp_path / "a")
        assert (found.exit_code, found.documents, found.held) == (EXIT_SOUND, 1, 2)
        (note,) = found.notes
        assert "2 pages wait" in note
        assert (statistics(tmp_path / "a").documents, statistics(tmp_path / "a").held) == (1, 2)

    def test_those_of_a_worker_that_runs_are_left_out(self, tmp_path: Path) -> None:
        self.hold(tmp_path, [4])

        async def meanwhile() -> Merged:
            async def acknowledge(_: object) -> None:
                pass

            async with CorpusWriter(tmp_path, "dead", acknowledge, on_failure=unheard):
                assert "its crawl is running" in verify(tmp_path).notes[0]
                return merge([tmp_path], tmp_path.with_name("all"))

        merged = asyncio.run(meanwhile())
        assert (merged.documents, merged.held) == (0, 0)
        assert "merge again after" in merged.notes[0]

    def test_a_file_that_was_begun_and_never_used_is_no_damage(self, tmp_path: Path) -> None:
        write_corpus(tmp_path / "a", [document(1)], name="dead")
        Layout(tmp_path / "a", "dead").state.mkdir(parents=True)
        Layout(tmp_path / "a", "dead").held.touch()
        assert verify(tmp_path / "a").notes == []
        assert merge([tmp_path / "a"], tmp_path / "all").documents == 1

    def test_a_damaged_file_is_damage(self, tmp_path: Path) -> None:
        write_corpus(tmp_path / "a", [document(1)], name="dead")
        self.hold(tmp_path / "a", range(200))
        file = Layout(tmp_path / "a", "dead").held
        file.write_bytes(b"no database" * 100)
        assert verify(tmp_path / "a").exit_code == EXIT_DAMAGED
        with pytest.raises(DamagedError, match=r"held\.sqlite"):
            merge([tmp_path / "a"], tmp_path / "all")
