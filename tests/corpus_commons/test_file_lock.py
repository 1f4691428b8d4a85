"""A lock on a file has one holder, and nobody who asks for it is in anybody's way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

from corpus_commons.file_lock import FileLock, LockedError, is_held

ROOT = Path(__file__).parents[2]
TAKE = """
import sys
from pathlib import Path
from corpus_commons.file_lock import FileLock, LockedError
try:
    FileLock(Path(sys.argv[1]))
except LockedError:
    print("locked")
"""
FORK = """
import os, sys, time
from pathlib import Path
from corpus_commons.file_lock import FileLock
lock = FileLock(Path(sys.argv[1]))
if not os.fork():
    print(os.getpid(), flush=True)
time.sleep(60)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "lock"


def is_locked_for_others(path: Path) -> bool:
    """Whether another process cannot have it."""
    command = [sys.executable, "-c", TAKE, str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)  # noqa: S603 - ours
    return done.stdout == b"locked\n"


def test_it_has_one_holder_in_this_process_and_others(path: Path) -> None:
    with FileLock(path):
        with pytest.raises(LockedError, match="is locked"):
            FileLock(path)
        assert is_locked_for_others(path)
    assert not is_locked_for_others(path)
    FileLock(path).release()


def test_whether_it_is_held_is_told_without_a_trace(path: Path) -> None:
    assert not is_held(path)
    assert not path.exists()
    with FileLock(path):
        assert is_held(path)
        assert is_locked_for_others(path), "not released by the question"
    assert not is_held(path)


def test_nobody_who_takes_it_is_disturbed_by_those_who_ask(path: Path) -> None:
    FileLock(path).release()
    ended = Event()

    def ask() -> None:
        while not ended.is_set():
            is_held(path)

    asking = Thread(target=ask)
    asking.start()
    try:
        for _ in range(2000):
            FileLock(path).release()
    finally:
        ended.set()
        asking.join()


def test_it_lasts_when_its_holder_reads_and_writes_the_file(path: Path) -> None:
    path.write_text("kept")
    with FileLock(path):
        assert path.read_text() == "kept"
        path.write_text("changed")
        assert is_locked_for_others(path)


def test_who_waits_gets_it_once_it_is_free(path: Path) -> None:
    first = FileLock(path)
    taken = Event()

    def wait() -> None:
        with FileLock(path, wait=True):
            taken.set()

    waiting = Thread(target=wait)
    waiting.start()
    assert not taken.wait(0.2)
    first.release()
    assert taken.wait(10)
    waiting.join()


def test_who_waits_for_one_that_is_removed_gets_that_of_the_new_file(path: Path) -> None:
    first = FileLock(path)
    found: list[bool] = []

    def wait() -> None:
        with FileLock(path, wait=True):
            found.append(is_held(path))

    waiting = Thread(target=wait)
    waiting.start()
    # Time to wait for the lock of the file that is about to be removed.
    time.sleep(0.2)
    path.unlink()
    first.release()
    waiting.join()
    assert found == [True]


def test_forked_children_of_a_killed_holder_do_not_have_it(path: Path) -> None:
    command = [sys.executable, "-c", FORK, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdout=pipe) as holder:  # noqa: S603 - ours
        assert holder.stdout
        child = int(holder.stdout.readline())
        assert is_held(path)
        holder.kill()
        holder.wait()
        try:
            FileLock(path).release()
        finally:
            os.kill(child, signal.SIGKILL)


def test_nor_do_they_release_it(path: Path) -> None:
    lock = FileLock(path)
    if not (child := os.fork()):
        lock.release()
        os._exit(0)
    os.waitpid(child, 0)
    assert is_locked_for_others(path)
    lock.release()


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileLock(tmp_path / "none" / "lock")
