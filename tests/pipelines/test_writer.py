"""The writer's promise: what is acknowledged is on the disk, whole, and stays there."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest
from corpus_samples import document, plain_lines, unheard, until, write_corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.outcomes import Rejection
from pipelines.corpus.errors import CorpusInUseError
from pipelines.corpus.frames import survey
from pipelines.corpus.manifest import load_manifests
from pipelines.corpus.shards import Rotation
from pipelines.corpus.verification import verify
from pipelines.corpus.writer import CorpusWriter, FrameLimits


def test_a_corpus_is_shards_rejects_and_a_manifest(tmp_path: Path) -> None:
    rejects = [(document(3, ""), Rejection("too-short", "nothing"))]
    acknowledged = write_corpus(tmp_path, map(document, range(3)), rejects)
    assert acknowledged == [document(number).id for number in range(4)]
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")) == [
        ".worker.lock",
        "documents/worker-000000.jsonl.zst",
        "manifest-worker.json",
        "rejects/worker-000000.jsonl.zst",
    ]
    lines = plain_lines(tmp_path / "documents/worker-000000.jsonl.zst")
    assert [orjson.loads(line)["id"] for line in lines] == acknowledged[:3]
    (manifest,) = load_manifests(tmp_path)
    documents, _ = manifest.shards
    assert (documents.documents, documents.first_time, documents.last_time) == (
        3,
        "2026-05-01T12:00:00.000Z",
        "2026-05-01T12:00:02.000Z",
    )
    assert verify(tmp_path).exit_code == 0


def test_a_shard_of_several_frames_is_read_whole_as_the_docs_show(tmp_path: Path) -> None:
    ids = write_corpus(tmp_path, map(document, range(7)), frame_documents=2)
    page = (Path(__file__).parents[2] / "docs/how-to/read-a-corpus.md").read_text(encoding="utf-8")
    program = page.partition("```python\n")[2].partition("\n\n\nfor ")[0]
    shown: dict[str, Any] = {}
    exec(program, shown)  # noqa: S102 - our own page
    assert [one["id"] for one in shown["documents"](tmp_path)] == ids


def test_a_document_is_acknowledged_only_when_its_frame_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    fsync = os.fsync

    def watched(descriptor: int) -> None:
        fsync(descriptor)
        synced.append(os.fstat(descriptor).st_size)

    monkeypatch.setattr(os, "fsync", watched)
    shard = tmp_path / "documents/worker-000000.jsonl.zst.open"
    acknowledged: list[int] = []

    async def acknowledge(receipts: Sequence[int]) -> None:
        assert synced[-1] == shard.stat().st_size
        assert survey(shard).documents == receipts[-1] + 1
        acknowledged.extend(receipts)

    async def work() -> None:
        async with CorpusWriter(
            tmp_path,
            "worker",
            acknowledge,
            on_failure=unheard,
            frames=FrameLimits(documents=3),
        ) as writer:
            for number in range(20):
                await writer.add(document(number), ack=number)

    asyncio.run(work())
    assert acknowledged == list(range(20))


def test_documents_that_are_large_do_not_wait_for_more(tmp_path: Path) -> None:
    acknowledged: list[int] = []

    async def acknowledge(receipts: Sequence[int]) -> None:
        acknowledged.extend(receipts)

    async def work() -> None:
        large = document(text="a" * 1000)
        frames = FrameLimits(documents=1000, bytes=len(large.to_json()), seconds=3600)
        async with CorpusWriter(
            tmp_path, "worker", acknowledge, on_failure=unheard, frames=frames
        ) as writer:
            await writer.add(large, ack=1)
            await until(lambda: acknowledged == [1])()

    asyncio.run(work())


def test_few_documents_are_acknowledged_when_their_time_is_over(tmp_path: Path) -> None:
    acknowledged: list[int] = []

    async def acknowledge(receipts: Sequence[int]) -> None:
        acknowledged.extend(receipts)

    async def work() -> None:
        frames = FrameLimits(documents=1000, seconds=0.05)
        async with CorpusWriter(
            tmp_path, "worker", acknowledge, on_failure=unheard, frames=frames
        ) as writer:
            await writer.add(document(), ack=1)
            await until(lambda: acknowledged == [1])()

    asyncio.run(work())


@settings(max_examples=25)
@given(numbers=st.integers(1, 60), limit=st.integers(300, 3000), together=st.integers(1, 10))
def test_no_shard_is_larger_than_it_may_be(numbers: int, limit: int, together: int) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_corpus(
            folder, map(document, range(numbers)), shard_bytes=limit, frame_documents=together
        )
        (manifest,) = load_manifests(folder)
        assert sum(entry.documents for entry in manifest.shards) == numbers
        for entry in manifest.shards:
            # A frame is never parted: alone it may be larger.
            assert entry.bytes <= limit or entry.documents <= together
        assert verify(folder).exit_code == 0


def test_a_shard_is_filled_to_the_last_byte(tmp_path: Path) -> None:
    def shards(limit: int) -> list[int]:
        folder = tmp_path / str(limit)
        write_corpus(folder, map(document, range(4)), shard_bytes=limit, frame_documents=2)
        return [path.stat().st_size for path in (folder / "documents").iterdir()]

    (size,) = shards(10**9)
    assert shards(size) == [size]
    assert len(shards(size - 1)) == 2


def test_a_higher_level_makes_smaller_shards(tmp_path: Path) -> None:
    words = [" ".join(f"{number * 7919 % 1000}" for number in range(2000))] * 3
    sizes = []
    for level in (1, 19):
        folder = tmp_path / str(level)
        write_corpus(folder, map(document, range(3), words), level=level)
        sizes.append((folder / "documents/worker-000000.jsonl.zst").stat().st_size)
    assert sizes[1] < sizes[0]


def test_shards_rotate_by_age_even_when_nothing_comes(tmp_path: Path) -> None:
    async def acknowledge(receipts: Sequence[int]) -> None: ...

    async def work() -> None:
        async with CorpusWriter(
            tmp_path,
            "worker",
            acknowledge,
            on_failure=unheard,
            frames=FrameLimits(seconds=0.05),
            rotation=Rotation(seconds=0.1),
        ) as writer:
            await writer.add(document(), ack=1)
            await until((tmp_path / "documents/worker-000000.jsonl.zst").exists)()

    asyncio.run(work())


def test_a_restarted_writer_goes_on_with_the_next_number(tmp_path: Path) -> None:
    write_corpus(tmp_path, [document(1)])
    # A shard may have been moved away; its number is not used again.
    (tmp_path / "documents/worker-000000.jsonl.zst").unlink()
    write_corpus(tmp_path, [document(2)])
    assert (tmp_path / "documents/worker-000001.jsonl.zst").exists()


def test_writers_share_a_folder(tmp_path: Path) -> None:
    for number in range(3):
        write_corpus(tmp_path, [document(number)], name=f"worker-{number}")
    found = verify(tmp_path)
    assert (found.exit_code, found.documents, found.shards) == (0, 3, 3)


def test_two_writers_cannot_have_one_name(tmp_path: Path) -> None:
    async def acknowledge(receipts: Sequence[int]) -> None: ...

    async def work() -> None:
        async with CorpusWriter(tmp_path, "worker", acknowledge, on_failure=unheard):
            with pytest.raises(CorpusInUseError, match="choose another worker name"):
                async with CorpusWriter(tmp_path, "worker", acknowledge, on_failure=unheard):
                    pass

    asyncio.run(work())
    assert write_corpus(tmp_path, [document()])


@pytest.mark.parametrize("name", ["", "../a", "a/b", ".a", "ä", "a" * 65])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="writer's name"):
        write_corpus(tmp_path, [], name=name)


def test_who_is_faster_than_the_disk_waits(tmp_path: Path) -> None:
    async def work() -> None:
        gate, asked = asyncio.Event(), asyncio.Event()
        taken = 0

        async def acknowledge(receipts: Sequence[int]) -> None:
            asked.set()
            await gate.wait()

        async def add_many(writer: CorpusWriter[int]) -> None:
            nonlocal taken
            for number in range(10):
                await writer.add(document(number), ack=number)
                taken += 1

        frames = FrameLimits(documents=2)
        async with CorpusWriter(
            tmp_path, "worker", acknowledge, on_failure=unheard, frames=frames
        ) as writer:
            adding = asyncio.create_task(add_many(writer))
            await asked.wait()
            await until(lambda: taken == 4)()
            for _ in range(100):
                await asyncio.sleep(0)
            # Two are on their way to the frontier, two more wait.
            assert taken == 4
            gate.set()
            await adding

    asyncio.run(work())
    assert verify(tmp_path).documents == 10


def test_nothing_is_taken_in_after_the_end(tmp_path: Path) -> None:
    async def acknowledge(receipts: Sequence[int]) -> None: ...

    async def work() -> None:
        async with CorpusWriter(tmp_path, "worker", acknowledge, on_failure=unheard) as writer:
            pass
        with pytest.raises(RuntimeError, match="closed"):
            await writer.add(document(), ack=1)

    asyncio.run(work())


@pytest.mark.parametrize("limit", [{"documents": 0}, {"bytes": 0}, {"seconds": 0}])
def test_limits_of_a_frame_are_positive(limit: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="limits of a frame must be positive"):
        FrameLimits(**limit)


@pytest.mark.parametrize("limit", [{"bytes": 0}, {"seconds": 0}])
def test_limits_of_a_shard_are_positive(limit: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="shard size and time must be positive"):
        Rotation(**limit)
