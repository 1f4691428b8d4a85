"""The writer in trouble: a frontier that fails, a disk without room, a folder that is gone."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest
from corpus_samples import document, plain_lines, unheard, until, write_corpus

from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import Layout
from pipelines.corpus.locks import hold_lock, is_in_use
from pipelines.corpus.manifest import Manifest, ShardEntry, load_manifests
from pipelines.corpus.verification import verify
from pipelines.corpus.writer import CorpusWriter, FrameLimits


def test_a_frontier_that_fails_does_not_stop_the_writer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def acknowledge(receipts: Sequence[int]) -> None:
        raise ConnectionError("no frontier")

    async def work() -> None:
        async with CorpusWriter(tmp_path, "worker", acknowledge, on_failure=unheard) as writer:
            await writer.add(document(), ack=1)
            await writer.flush()

    asyncio.run(work())
    expected = "could not acknowledge 1 line on disk, to be fetched again: no frontier"
    assert expected in caplog.text
    assert verify(tmp_path).documents == 1


def test_what_cannot_be_acknowledged_for_good_ends_the_writer_and_is_told_once(
    tmp_path: Path,
) -> None:
    told: list[CorpusError] = []
    error = CorpusError("no room")

    async def acknowledge(receipts: Sequence[int]) -> None:
        raise error

    async def work() -> None:
        writer = CorpusWriter(tmp_path, "worker", acknowledge, on_failure=told.append)
        await writer.__aenter__()
        await writer.add(document(1), ack=1)
        for call in (writer.flush(), writer.add(document(2), ack=2), writer.close()):
            with pytest.raises(CorpusError, match="no room"):
                await call

    asyncio.run(work())
    assert told == [error]
    # What was written before is whole, and listed.
    found = verify(tmp_path)
    assert (found.exit_code, found.documents, found.shards) == (0, 1, 1)


def test_lines_that_wait_behind_a_failure_are_not_written(tmp_path: Path) -> None:
    asked: list[Sequence[int]] = []

    async def work() -> None:
        gate = asyncio.Event()

        async def acknowledge(receipts: Sequence[int]) -> None:
            asked.append(receipts)
            await gate.wait()
            raise CorpusError("no room")

        writer = CorpusWriter(
            tmp_path,
            "worker",
            acknowledge,
            on_failure=unheard,
            frames=FrameLimits(documents=1),
        )
        await writer.__aenter__()
        await writer.add(document(1), ack=1)
        await until(lambda: len(asked) == 1)()
        await writer.add(document(2), ack=2)
        gate.set()
        with pytest.raises(CorpusError, match="no room"):
            await writer.close()

    asyncio.run(work())
    assert asked == [[1]]
    assert verify(tmp_path).documents == 1


LIMITED = """
import asyncio, resource, signal, sys
from pathlib import Path
from corpus_samples import document, unheard
from pipelines.corpus.writer import CorpusWriter, FrameLimits
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

async def acknowledge(numbers):
    print(*numbers, sep="\\n", flush=True)

async def work():
    frames = FrameLimits(documents=5)
    async with CorpusWriter(
        Path(sys.argv[1]), "worker", acknowledge, on_failure=unheard, frames=frames
    ) as writer:
        for number in range(100_000):
            await writer.add(document(number), ack=number)

asyncio.run(work())
"""


def run_out_of_room(folder: Path, limit: int) -> tuple[list[int], str]:
    here = Path(__file__).parent
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", LIMITED, str(folder), str(limit)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": f"{here.parents[1]}{os.pathsep}{here}"},
        timeout=100,
        check=False,
    )
    assert result.returncode == 1
    return [int(number) for number in result.stdout.split()], result.stderr


def check_nothing_acknowledged_is_lost(folder: Path, acknowledged: list[int]) -> None:
    write_corpus(folder, [])
    assert acknowledged
    assert verify(folder).exit_code == 0
    (manifest,) = load_manifests(folder)
    lines = [
        orjson.loads(line) for entry in manifest.shards for line in plain_lines(folder / entry.file)
    ]
    assert {line["id"] for line in lines} >= {document(number).id for number in acknowledged}


def test_a_file_that_may_not_grow_is_a_clear_error(tmp_path: Path) -> None:
    acknowledged, error = run_out_of_room(tmp_path / "corpus", 20_000)
    assert "CorpusError" in error
    assert "File too large" in error
    assert "acknowledged documents are safe" in error
    check_nothing_acknowledged_is_lost(tmp_path / "corpus", acknowledged)


def test_a_full_disk_is_a_clear_error(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(  # noqa: S603
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)],  # noqa: S607
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("mounting a small tmpfs needs root; see the test with a file size limit")
    try:
        acknowledged, error = run_out_of_room(disk / "corpus", 0)
        assert "No space left on device" in error
        subprocess.run(  # noqa: S603
            ["mount", "-o", "remount,size=1m", str(disk)],  # noqa: S607
            check=True,
        )
        check_nothing_acknowledged_is_lost(disk / "corpus", acknowledged)
    finally:
        subprocess.run(["umount", str(disk)], check=True)  # noqa: S603, S607


def test_nothing_is_acknowledged_into_a_folder_that_was_removed(tmp_path: Path) -> None:
    acknowledged: list[int] = []

    async def acknowledge(receipts: Sequence[int]) -> None:
        acknowledged.extend(receipts)

    async def work() -> None:
        writer = await CorpusWriter(
            tmp_path / "corpus", "worker", acknowledge, on_failure=unheard
        ).__aenter__()
        await writer.add(document(1), ack=1)
        await writer.flush()
        shutil.rmtree(tmp_path / "corpus")
        await writer.add(document(2), ack=2)
        for call in (writer.flush(), writer.close()):
            with pytest.raises(CorpusError, match="was removed"):
                await call

    asyncio.run(work())
    assert acknowledged == [1]


def test_a_folder_that_was_removed_before_the_end_is_told(tmp_path: Path) -> None:
    async def acknowledge(receipts: Sequence[int]) -> None:
        shutil.rmtree(tmp_path / "corpus")

    async def work() -> None:
        writer = await CorpusWriter(
            tmp_path / "corpus", "worker", acknowledge, on_failure=unheard
        ).__aenter__()
        await writer.add(document(1), ack=1)
        with pytest.raises(CorpusError, match="was removed"):
            await writer.close()

    asyncio.run(work())


def test_a_corpus_that_cannot_be_opened_is_not_in_use(tmp_path: Path) -> None:
    async def acknowledge(receipts: Sequence[int]) -> None: ...

    shard = ShardEntry(f"documents/worker-{'1' * 5000}.jsonl.zst", 1, 1, "0" * 64, "", "")
    Manifest("worker", [shard]).save(Layout(tmp_path, "worker").manifest)
    with pytest.raises(ValueError, match="limit"):
        asyncio.run(CorpusWriter(tmp_path, "worker", acknowledge, on_failure=unheard).__aenter__())
    assert not is_in_use(tmp_path, "worker")


def test_why_a_folder_cannot_be_written_is_said(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "worker")
    layout.lock.mkdir(parents=True)
    with pytest.raises(CorpusError) as caught:
        hold_lock(layout)
    assert str(caught.value) == f"cannot write {tmp_path}: Is a directory"


def test_after_an_error_every_call_says_so(tmp_path: Path) -> None:
    async def acknowledge(receipts: Sequence[int]) -> None: ...

    async def work() -> None:
        writer = CorpusWriter(tmp_path, "worker", acknowledge, on_failure=unheard)
        await writer.__aenter__()
        (tmp_path / "documents").write_text("in the way")
        await writer.add(document(), ack=1)
        for call in (writer.flush(), writer.add(document(), ack=1), writer.close()):
            with pytest.raises(CorpusError, match="cannot create"):
                await call

    asyncio.run(work())
