"""A worker process that stops in the middle of a message is not waited for."""

from __future__ import annotations

import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from corpus_commons import processes
from corpus_commons.processes import WorkerDiedError, WorkerProcess

# More than a pipe holds.
LARGE = b"x" * 10_000_000


def echo(connection: Connection) -> None:
    """What the process runs: it tells its number, then answers a message with the same."""
    connection.send(os.getpid())
    while True:
        connection.send(connection.recv())


def answer_in_part(connection: Connection) -> None:
    """What the process runs: it begins a large message, and stops."""
    connection.send(os.getpid())
    connection.recv()
    # The length of a message, as ``Connection`` writes it, and less than that.
    os.write(connection.fileno(), (10_000).to_bytes(4) + b"x")
    os.kill(os.getpid(), signal.SIGSTOP)


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    while Path(f"/proc/{pid}/stat").read_text().split()[2] != "T":
        time.sleep(0.01)


def test_a_large_message_goes_there_and_back() -> None:
    process = WorkerProcess(echo, variables={})
    process.receive(60)
    process.send(LARGE)
    assert process.receive(60) == LARGE
    process.end()


def test_a_process_that_is_stopped_does_not_block_its_parent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "_TRANSFER_SECONDS", 0.2)
    process = WorkerProcess(echo, variables={})
    stop(process.receive(60))
    process.send(LARGE)
    with pytest.raises(WorkerDiedError, match="signal 9"):
        process.receive(60)


def test_nor_does_one_that_stops_in_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_TRANSFER_SECONDS", 0.2)
    process = WorkerProcess(answer_in_part, variables={})
    process.receive(60)
    process.send("go on")
    with pytest.raises(WorkerDiedError, match="signal 9"):
        process.receive(60)
