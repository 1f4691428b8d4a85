"""What is left in the temporary directory is removed, at the latest by the next program."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from corpus_commons.temporary_folder import TemporaryFolder

KILLED = """
import os, signal
from corpus_commons.temporary_folder import TemporaryFolder
(TemporaryFolder().path / "profile").mkdir()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_those_of_killed_processes_are_removed_and_no_others(directory: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED], check=False)  # noqa: S603 - ours
    (left,) = directory.iterdir()
    others = [directory / "genre-crawler-mine", directory / "genre-crawler-1-other"]
    for other in others:
        other.mkdir()
    first, second = TemporaryFolder(), TemporaryFolder()
    assert not left.exists()
    assert {*directory.iterdir()} == {first.path, second.path, *others}
    first.remove()
    assert {*directory.iterdir()} == {second.path, *others}


@pytest.mark.parametrize("before", [None, "/elsewhere"])
def test_processes_of_the_block_use_it_and_later_ones_what_was_set(
    before: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = TemporaryFolder()
    if before is None:
        monkeypatch.delenv("TMPDIR")
    else:
        monkeypatch.setenv("TMPDIR", before)
    with folder.inherited():
        assert os.environ["TMPDIR"] == str(folder.path)
    assert os.environ.get("TMPDIR") == before
