"""What was promised to be safe is on the disk, and not only in what the kernel means to write."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from corpus_samples import document, unheard, write_corpus
from power_cut import Cut, Disk

from crawler.outcomes import Rejection
from pipelines.corpus.folder import shards
from pipelines.corpus.layout import Layout
from pipelines.corpus.merge import merge
from pipelines.corpus.recovery import recover
from pipelines.corpus.shards import Rotation
from pipelines.corpus.verification import EXIT_SOUND, verify
from pipelines.corpus.writer import CorpusWriter, FrameLimits


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    root = tmp_path / "disk"
    root.mkdir()
    return Disk(root)


def ids(corpus: Path) -> set[str]:
    return {document["id"] for shard in shards(corpus) for document in shard.documents()}


def recovered(cut: Cut, target: Path) -> set[str]:
    """What a writer finds that begins again after the cut."""
    corpus = cut.restore(target) / "corpus"
    if not corpus.exists():
        return set()
    recover(Layout(corpus, "worker"))
    assert verify(corpus).exit_code == EXIT_SOUND
    return ids(corpus)


def test_what_is_acknowledged_outlives_it_at_any_moment(tmp_path: Path, disk: Disk) -> None:
    async def acknowledge(names: Sequence[str]) -> None:
        disk.acknowledge(list(names))

    async def work(first: int) -> None:
        async with CorpusWriter(
            disk.root / "corpus",
            "worker",
            acknowledge,
            on_failure=unheard,
            frames=FrameLimits(documents=2),
            rotation=Rotation(bytes=700),
        ) as writer:
            for number in range(first, first + 12):
                one = document(number)
                if number % 4:
                    await writer.add(one, ack=one.id)
                else:
                    await writer.reject(one, Rejection("too-short"), ack=one.id)

    with disk.watched():
        asyncio.run(work(0))
        asyncio.run(work(12))
    assert len(disk.cuts[-1].acknowledged) == 24
    for number, cut in enumerate(disk.cuts):
        assert set(cut.acknowledged) <= recovered(cut, tmp_path / str(number))


def test_a_recovered_corpus_outlives_the_next(tmp_path: Path, disk: Disk) -> None:
    corpus = tmp_path / "corpus"
    names = set(write_corpus(corpus, map(document, range(5)), frame_documents=2))
    shard = corpus / "documents/worker-000000.jsonl.zst"
    with shard.open("ab") as file:
        file.write(b"torn")
    shard.rename(shard.with_name(shard.name + ".open"))
    (corpus / "manifest-worker.json").unlink()
    corpus.rename(disk.root / "corpus")
    disk.sync_all()
    with disk.watched():
        recover(Layout(disk.root / "corpus", "worker"))
    for number, cut in enumerate(disk.cuts):
        assert recovered(cut, tmp_path / str(number)) == names


def test_a_merged_corpus_is_there_wholly_or_not_at_all(tmp_path: Path, disk: Disk) -> None:
    parts = [tmp_path / "one", tmp_path / "other"]
    for first, part in enumerate(parts):
        write_corpus(part, map(document, range(first, 9, 2)))
    with disk.watched():
        merge(parts, disk.root / "out", rotation=Rotation(bytes=500))
        disk.acknowledge([])
    left = [cut.restore(tmp_path / str(n)) / "out" for n, cut in enumerate(disk.cuts)]
    assert left[-1].exists()
    for out in left:
        if out.exists():
            assert verify(out).exit_code == EXIT_SOUND
            assert verify(out).documents == 9
