"""What the processes of a worker are."""

from __future__ import annotations

import os
import sys
from multiprocessing.connection import Connection

import pytest

from corpus_commons.processes import WorkerProcess
from live.processes import Processes


def wait(connection: Connection) -> None:
    """What the process runs: it tells of which one it is a fork."""
    connection.send(os.getppid())
    connection.recv()


@pytest.mark.usefixtures("fresh_workers")
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_page_workers_are_readers_and_what_they_are_forks_of_is_a_helper() -> None:
    workers = [WorkerProcess(wait, variables={}, loaded="time", seconds=60) for _ in range(2)]
    servers = {worker.receive(60) for worker in workers}
    roles = {process.pid: process.role for process in Processes().look()}
    for worker in workers:
        worker.end()
    assert roles[os.getpid()] == "crawler"
    assert [*roles.values()].count("reader") == 2
    assert {roles[server] for server in servers} == {"helper"}
