"""After a crash: nothing acknowledged is lost, whenever it happened."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import orjson
import pytest
from corpus_samples import document, plain_lines, write_corpus

from pipelines.corpus.errors import ShardDamagedError
from pipelines.corpus.frames import frame
from pipelines.corpus.layout import KINDS, Layout
from pipelines.corpus.manifest import Manifest, load_manifests
from pipelines.corpus.recovery import recover
from pipelines.corpus.shards import Line, ShardSeries
from pipelines.corpus.verification import EXIT_REPEATS, EXIT_SOUND, verify

HERE = Path(__file__).parent
ROUNDS = 4


def killed(folder: Path, ledger: Path, seconds: float) -> None:
    """Start a worker and kill it so many seconds after it has begun to write."""
    worker = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, HERE / "killed_writer.py", folder, ledger],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(HERE.parents[1])},
    )
    assert worker.stdout is not None
    with worker.stdout:
        assert worker.stdout.readline() == b"ready\n"
        time.sleep(seconds)
        os.kill(worker.pid, signal.SIGKILL)
        worker.wait()


def test_a_worker_killed_again_and_again_loses_nothing(tmp_path: Path) -> None:
    folder, ledger = tmp_path / "corpus", tmp_path / "ledger"
    chance = random.Random(4)
    for _ in range(ROUNDS):
        killed(folder, ledger, chance.uniform(0.0, 0.3))
    recover(Layout(folder, "killed"))
    acknowledged = [int(line) for line in ledger.read_text().splitlines()]
    assert len(acknowledged) > ROUNDS
    found = verify(folder)
    assert found.problems == []
    assert found.notes == []
    assert found.exit_code in {EXIT_SOUND, EXIT_REPEATS}
    kept = {
        kind: {
            orjson.loads(line)["id"]
            for path in (folder / kind).iterdir()
            for line in plain_lines(path)
        }
        for kind in KINDS
    }
    for number in acknowledged:
        kind = "documents" if number % 5 else "rejects" if number % 10 else "tombstones"
        assert document(number).id in kept[kind]


@pytest.fixture(scope="module")
def crashed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a writer that died with an open shard of three frames of two documents."""
    folder = tmp_path_factory.mktemp("crashed")
    series = ShardSeries(Layout(folder, "worker"), "documents", Manifest("worker"))
    for first in (0, 2, 4):
        made = [document(number) for number in (first, first + 1)]
        series.append([Line(one.to_json(), "2026-05-01T12:00:00.000Z") for one in made])
    series.abandon()
    return folder


def test_an_open_shard_cut_at_any_byte_is_cut_back_and_completed(
    crashed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing dies here, so nothing needs to wait for the disk a few thousand times.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    content = (crashed / "documents/worker-000000.jsonl.zst.open").read_bytes()
    (tmp_path / "documents").mkdir()
    layout = Layout(tmp_path, "worker")
    for size in range(len(content) + 1):
        layout.manifest.unlink(missing_ok=True)
        layout.shard("documents", 0).unlink(missing_ok=True)
        layout.open_shard("documents", 0).write_bytes(content[:size])
        _, (recovered,) = recover(layout)
        found = verify(tmp_path)
        assert (found.exit_code, found.notes) == (EXIT_SOUND, [])
        # The three frames are about equally long.
        assert found.documents == recovered.documents == 2 * round(3 * found.bytes / len(content))
        assert found.bytes + recovered.cut == size


def test_recovery_is_done_once(crashed: Path, tmp_path: Path) -> None:
    shutil.copytree(crashed, tmp_path / "corpus")
    layout = Layout(tmp_path / "corpus", "worker")
    assert len(recover(layout)[1]) == 1
    assert recover(layout)[1] == []


def test_a_shard_that_was_renamed_and_not_listed_is_listed(tmp_path: Path) -> None:
    write_corpus(tmp_path, map(document, range(3)))
    (expected,) = load_manifests(tmp_path)
    (tmp_path / "manifest-worker.json").unlink()
    (tmp_path / "manifest-worker.json.tmp").write_text("half a man")
    recover(Layout(tmp_path, "worker"))
    assert load_manifests(tmp_path) == [expected]
    assert not (tmp_path / "manifest-worker.json.tmp").exists()


def test_a_complete_shard_that_is_broken_is_not_cut(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    path = tmp_path / "documents/worker-000000.jsonl.zst"
    path.write_bytes(frame([document().to_json()]) + b"torn")
    with pytest.raises(ShardDamagedError, match="though it was complete"):
        recover(Layout(tmp_path, "worker"))


def test_shards_of_other_writers_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    others = ["work-000000.jsonl.zst.open", "worker-a-000000.jsonl.zst.open", "worker-1.jsonl.zst"]
    for name in others:
        (tmp_path / "documents" / name).write_bytes(b"torn")
    assert recover(Layout(tmp_path, "worker")) == (Manifest("worker"), [])
