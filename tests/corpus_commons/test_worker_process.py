"""Worker processes are forks of one that has loaded what they need, and are never waited for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
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


def parent(connection: Connection) -> None:
    """What the process runs: it tells of which one it is a fork, then answers a message."""
    connection.send(os.getppid())
    connection.send(connection.recv())


def answer_in_part(connection: Connection) -> None:
    """What the process runs: it begins a large message, and stops."""
    connection.send(os.getpid())
    connection.recv()
    # The length of a message, as ``Connection`` writes it, and less than that.
    os.write(connection.fileno(), (10_000).to_bytes(4) + b"x")
    os.kill(os.getpid(), signal.SIGSTOP)


def stop(pid: int) -> None:
    strike(pid, signal.SIGSTOP, "T")


def kill(pid: int) -> None:
    strike(pid, signal.SIGKILL, "Z")


def strike(pid: int, number: int, state: str) -> None:
    """Send it a signal, and wait until it is in that state (proc(5))."""
    os.kill(pid, number)
    while Path(f"/proc/{pid}/stat").read_text().split()[2] != state:
        time.sleep(0.01)


@pytest.mark.usefixtures("fresh_workers")
@pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux only")
def test_what_all_need_is_loaded_once(tmp_path: Path) -> None:
    told = tmp_path / "told.txt"
    (tmp_path / "told.py").write_text(f"open({str(told)!r}, 'a').write('loaded ')")
    variables = {"PYTHONPATH": str(tmp_path)}
    both = [WorkerProcess(parent, variables=variables, loaded="told", seconds=60) for _ in range(2)]
    assert len({process.receive(60) for process in both}) == 1
    assert told.read_text() == "loaded "
    for process in both:
        process.end()


@pytest.mark.usefixtures("fresh_workers")
@pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux only")
def test_what_never_loads_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "hung.py").write_text("import time\ntime.sleep(60)")
    variables = {"PYTHONPATH": str(tmp_path)}
    with pytest.raises(TimeoutError, match=r"not loaded after 0\.5 s"):
        WorkerProcess(parent, variables=variables, loaded="hung", seconds=0.5)


@pytest.mark.usefixtures("fresh_workers")
@pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux only")
def test_one_that_starts_no_worker_any_more_is_replaced_although_it_runs(tmp_path: Path) -> None:
    lost = f"""
import os, pathlib, time
file = pathlib.Path({str(tmp_path / "was-loaded")!r})
if not file.exists():
    file.touch()
    os.closerange(3, 256)
    time.sleep(60)
"""
    (tmp_path / "lost.py").write_text(lost)
    variables = {"PYTHONPATH": str(tmp_path)}
    with pytest.raises(WorkerDiedError, match="the process that loads for all died"):
        WorkerProcess(parent, variables=variables, loaded="lost", seconds=60)
    worker = WorkerProcess(parent, variables=variables, loaded="lost", seconds=60)
    worker.receive(60)
    worker.end()


def spin(connection: Connection) -> None:
    """What the process runs: it tells its number, of which one it is a fork, and never ends."""
    connection.send((os.getpid(), os.getppid()))
    while True:
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux only")
def test_a_worker_that_hangs_ends_although_that_process_is_lost() -> None:
    hung = WorkerProcess(spin, variables={}, loaded="time", seconds=60)
    number, server = hung.receive(60)
    kill(server)
    # All that run are looked after whenever one is started.
    WorkerProcess(parent, variables={}, loaded="time", seconds=60).end()
    hung.end()
    while Path(f"/proc/{number}").exists():
        time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux only")
def test_the_loss_of_that_process_stops_no_other() -> None:
    first = WorkerProcess(parent, variables={}, loaded="time", seconds=60)
    kill(first.receive(60))
    second = WorkerProcess(parent, variables={}, loaded="time", seconds=60)
    for process in (first, second):
        process.send("still there")
    assert first.receive(60) == "still there"
    second.receive(60)
    assert second.receive(60) == "still there"
    first.end()
    second.end()


@pytest.mark.skipif(sys.platform != "linux", reason="there is a server on Linux only")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_what_a_terminal_sends_to_all_processes_ends_neither(number: signal.Signals) -> None:
    worker = WorkerProcess(spin, variables={}, loaded="time", seconds=60)
    both = worker.receive(60)
    for process in both:
        os.kill(process, number)
    other = WorkerProcess(parent, variables={}, loaded="time", seconds=60)
    assert other.receive(60) == both[1]
    assert worker.exit_code is None
    worker.end()
    other.end()


PROGRAM = """
from corpus_commons.processes import WorkerProcess
from test_worker_process import work

if __name__ == "__main__":
    WorkerProcess(work, variables={}, loaded="time", seconds=60).receive(60)
"""


OTHERS = """
import sys
from multiprocessing import get_context
from corpus_commons.processes import WorkerProcess
from test_worker_process import take_time, work

if __name__ == "__main__":
    get_context("forkserver").Process(target=take_time, args=(sys.argv[1],)).start()
    WorkerProcess(work, variables={}, loaded="time", seconds=60).receive(60)
"""


def take_time(file: str) -> None:
    """What a process of somebody else runs: it ends some time after the program."""
    time.sleep(1.5)
    Path(file).touch()


def work(connection: Connection) -> None:
    """What the process runs: it computes for a while."""
    while time.process_time() < 0.5:
        pass
    connection.send(None)
    connection.recv()


def spent() -> float:
    """CPU seconds of the children of this process that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def run(program: str, folder: Path, *arguments: str) -> None:
    file = folder / "program.py"
    file.write_text(program)
    path = os.pathsep.join([str(Path(processes.__file__).parents[1]), str(Path(__file__).parent)])
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run([sys.executable, str(file), *arguments], env=environment, check=True)  # noqa: S603


def test_the_cpu_time_of_workers_counts_as_that_of_the_program(tmp_path: Path) -> None:
    before = spent()
    run(PROGRAM, tmp_path)
    assert spent() - before >= 0.5


def test_a_program_that_ends_leaves_processes_that_are_no_workers_alone(tmp_path: Path) -> None:
    run(OTHERS, tmp_path, str(tmp_path / "done"))
    assert (tmp_path / "done").exists()


def test_a_large_message_goes_there_and_back() -> None:
    process = WorkerProcess(echo, variables={}, loaded="time", seconds=60)
    process.receive(60)
    process.send(LARGE)
    assert process.receive(60) == LARGE
    process.end()


def test_a_process_that_is_stopped_does_not_block_its_parent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "_TRANSFER_SECONDS", 0.2)
    process = WorkerProcess(echo, variables={}, loaded="time", seconds=60)
    stop(process.receive(60))
    process.send(LARGE)
    with pytest.raises(WorkerDiedError, match="signal 9"):
        process.receive(60)


def test_nor_does_one_that_stops_in_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_TRANSFER_SECONDS", 0.2)
    process = WorkerProcess(answer_in_part, variables={}, loaded="time", seconds=60)
    process.receive(60)
    process.send("go on")
    with pytest.raises(WorkerDiedError, match="signal 9"):
        process.receive(60)
