"""What the processes of a worker are."""

from __future__ import annotations

import sys
from multiprocessing.connection import Connection

import pytest

from corpus_commons.processes import WorkerProcess
from live.processes import Processes


def wait(connection: Connection) -> None:
    """What the process runs."""
    connection.send(None)
    connection.recv()


@pytest.mark.usefixtures("fresh_workers")
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_page_workers_are_readers_and_what_they_are_forks_of_is_a_helper() -> None:
    workers = [WorkerProcess(wait, variables={}, loaded="time") for _ in range(2)]
    for worker in workers:
        worker.receive(60)
    roles = [process.role for process in Processes().look()]
    for worker in workers:
        worker.end()
    assert roles[0] == "crawler"
    assert roles.count("reader") == 2
    assert "helper" in roles
