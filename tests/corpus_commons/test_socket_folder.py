"""The socket of the process that worker processes are forks of leaves nothing behind."""

# ruff: noqa: S603 - our own programs

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="there is such a process on Linux only"
)

PROGRAM = """
import os, sys
from multiprocessing.connection import Connection
from corpus_commons.processes import WorkerProcess
WorkerProcess(Connection.close, variables={}, loaded="time", seconds=60).end()
for number in sys.argv[1:]:
    os.kill(os.getpid(), int(number))
"""


REMOVING = """
import shutil, sys
from multiprocessing.connection import Connection
from pathlib import Path
from corpus_commons.processes import WorkerDiedError, WorkerProcess

def start():
    WorkerProcess(Connection.close, variables={}, loaded="time", seconds=60).end()

def remove():
    for folder in Path(sys.argv[1]).iterdir():
        shutil.rmtree(folder)

start()
remove()
try:
    start()
except WorkerDiedError as error:
    print(error)
start()
remove()
"""


@pytest.fixture
def directory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary directory; its path is short, as that of a socket must be."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


def run(*arguments: object) -> int:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)], check=False
    ).returncode


def test_it_is_removed_with_its_folder(directory: Path) -> None:
    assert run() == 0
    assert not list(directory.iterdir())


def test_that_of_a_killed_program_is_removed_by_the_next(directory: Path) -> None:
    assert run(signal.SIGKILL.value) == -signal.SIGKILL
    (left,) = directory.iterdir()
    assert [file.is_socket() for file in left.iterdir()] == [True]
    assert run() == 0
    assert not list(directory.iterdir())


def test_it_is_made_again_where_somebody_has_removed_it(directory: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", REMOVING, str(directory)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout, ended.stderr) == ("the process that loads for all died\n", "")


def test_a_directory_with_a_long_name_will_do(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 107 - len("/pymp-12345678/listener-12345678")
    long = directory / ("x" * (longest - len(f"{directory}/")))
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    assert run() == 0
    assert not list(long.iterdir())
