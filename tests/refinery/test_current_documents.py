"""Of a corpus with versions, a data set has the latest state."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from dataset_samples import ALONE, corpus, document, numbers, prose, rows

from crawler.items import Document
from pipelines.corpus.folder import Shard
from pipelines.corpus.writer import CorpusWriter
from refinery.blocks import ShardReader
from refinery.dataset.build import build
from refinery.recipe import parse_recipe


async def acknowledge(_: Sequence[int]) -> None:
    """Nobody leased them."""


async def write(folder: Path, documents: Sequence[Document], gone: Sequence[Document]) -> None:
    async with CorpusWriter(folder, "w", acknowledge, on_failure=lambda _: None) as writer:
        for one in documents:
            await writer.add(one, ack=0)
        for one in gone:
            await writer.bury(one, "not-found", ack=0)


def test_of_several_crawls_the_newest_text_is_there(tmp_path: Path) -> None:
    hour = timedelta(hours=1)
    old = [document(number) for number in range(10)]
    again = [
        document(number, prose(50 + number), fetched_at=old[number].fetched_at + 2 * hour)
        for number in (3, 4)
    ]
    second = replace(old[3], version=2, fetched_at=old[3].fetched_at + hour)
    gone = replace(old[4], fetched_at=old[4].fetched_at + hour)
    asyncio.run(write(tmp_path / "new", again, []))
    asyncio.run(write(tmp_path / "old", [*old, second], [gone]))
    recipe = parse_recipe('name = "sample"\nvalidation = 0\nsteps = []', folder=tmp_path)
    build([tmp_path / "new", tmp_path / "old"], recipe, tmp_path / "current", ALONE)
    found = {row["url"]: row["text"] for row in rows(tmp_path / "current")}
    assert numbers(tmp_path / "current") == list(range(10))
    assert [found[one.url] for one in again] == [one.text for one in again]


def test_shards_are_verified_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus(tmp_path, map(document, range(4)))
    verified = []
    check_file = Shard.check_file

    def counted(shard: Shard) -> None:
        verified.append(shard.path.name)
        check_file(shard)

    monkeypatch.setattr(Shard, "check_file", counted)
    reader = ShardReader(tmp_path)
    reader.read_current_state()
    assert len(list(reader.run())) == 4
    assert sorted(verified) == sorted(path.name for path in (tmp_path / "documents").iterdir())


def test_a_page_is_there_once_unless_all_its_versions_are_wanted(tmp_path: Path) -> None:
    first = [document(number) for number in range(10)]
    later = document(3, prose(99), version=2, changed_at="2026-06-01T00:00:00.000Z")
    # A page that came back is not gone; that a line came twice is for the recipe.
    asyncio.run(write(tmp_path / "a", first[:5], [first[4]]))
    asyncio.run(write(tmp_path / "b", [later, document(4, version=2), *first[5:], first[5]],
                      [first[6]]))  # fmt: skip
    corpora = [tmp_path / "a", tmp_path / "b"]
    recipe = parse_recipe('name = "sample"\nvalidation = 0\nsteps = []', folder=tmp_path)
    build(corpora, recipe, tmp_path / "current", ALONE)
    assert numbers(tmp_path / "current") == [0, 1, 2, 3, 4, 5, 5, 7, 8, 9]
    (found,) = (row for row in rows(tmp_path / "current") if row["url"] == later.url)
    assert (found["version"], found["text"]) == (2, later.text)
    assert found["changed_at"].isoformat() == "2026-06-01T00:00:00+00:00"
    build(corpora, recipe, tmp_path / "all", ALONE, all_versions=True)
    assert len(rows(tmp_path / "all")) == 13
