"""``python -m scrapy`` and ``python -m crawler`` as a user runs them, but for the loading.

A server, one for each process of pytest, has loaded them; a run is a fork of it with arguments,
folder, environment and standard streams of its own, and it ends as Python does. Tests await its end
(``run``), or disturb it meanwhile (``start``).
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

TESTS = Path(__file__).parent
ROOT = TESTS.parent
# Where programs find what tests plug into them.
PYTHONPATH = f"{ROOT}:{TESTS / 'crawler'}"
_PACKAGES = ("scrapy.commands", "crawler", "pipelines", "live")
_LONGEST_REQUEST = 1_000_000
_LONGEST_REPORT = 100
# With one more, it is for reports of a program that is not awaited.
_STREAMS = 3


def run(
    module: str,
    *arguments: str,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    standard_input: str = "",
    stdout: int = subprocess.PIPE,
    seconds: float = 100,
) -> subprocess.CompletedProcess[str]:
    """Run it to its end, as ``subprocess.run`` does. Raises TimeoutError if there is none.

    environment: on top of this process's.
    """
    request = _request(module, arguments, cwd, environment)
    with contextlib.ExitStack() as stack, ThreadPoolExecutor(2) as readers:
        pipes = [os.pipe() for _ in range(3)]
        given, out, errors = (
            stack.enter_context(os.fdopen(ours, mode, encoding="utf-8"))
            for ours, mode in ((pipes[0][1], "w"), (pipes[1][0], "r"), (pipes[2][0], "r"))
        )
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        streams = [theirs[0], theirs[1] if stdout == subprocess.PIPE else stdout, theirs[2]]
        try:
            _server().begin(request, streams)
        finally:
            for stream in theirs:
                os.close(stream)
        said = [readers.submit(pipe.read) for pipe in (out, errors)]
        with contextlib.suppress(BrokenPipeError):
            given.write(standard_input)
            given.close()
        try:
            code = _server().end(seconds)
        except BaseException:
            # Whatever it is at, it and what it started are gone with the server.
            _server().close()
            _server.cache_clear()
            raise
        return subprocess.CompletedProcess(arguments, code, *(text.result() for text in said))


class Program:
    """A program that was started: a ``subprocess.Popen``, as far as tests use it.

    stderr: what it writes there if it was started so.
    """

    def __init__(self, reports: socket.socket, stderr: TextIO | None) -> None:
        self.pid = int(reports.recv(_LONGEST_REPORT))
        self.returncode: int | None = None
        self.stderr = stderr
        self._reports = reports

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._reports.settimeout(timeout)
            try:
                self.returncode = int(self._reports.recv(_LONGEST_REPORT))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired([str(self.pid)], timeout or 0) from None
            self._reports.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[None, str | None]:
        with ThreadPoolExecutor(1) as reader:
            said = reader.submit(self.stderr.read) if self.stderr else None
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            return None, said and said.result()

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def start(
    module: str,
    *arguments: str,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    stderr: int = subprocess.PIPE,
    is_joined: bool = False,
) -> Program:
    """Start it, in a process group of its own.

    stderr: a descriptor; by default a pipe to the ``Program``.
    is_joined: whether its standard output goes there, too, instead of nowhere.
    """
    reports, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with contextlib.ExitStack() as stack:
        stack.enter_context(theirs)
        nowhere = stack.enter_context(open(os.devnull, "r+b", 0)).fileno()  # noqa: PTH123 - a descriptor
        said = None
        if stderr == subprocess.PIPE:
            ours, stderr = os.pipe()
            stack.callback(os.close, stderr)
            said = os.fdopen(ours, encoding="utf-8")
        stdout = stderr if is_joined else nowhere
        streams = [nowhere, stdout, stderr, theirs.fileno()]
        _server().begin(_request(module, arguments, cwd, environment), streams)
    return Program(reports, said)


def _request(
    module: str, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str] | None
) -> bytes:
    variables = {**os.environ, "PYTHONPATH": PYTHONPATH, **(environment or {})}
    return json.dumps([module, arguments, str(cwd), variables]).encode()


class _Server:
    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, __file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": PYTHONPATH},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        atexit.register(self.close)

    def begin(self, request: bytes, streams: list[int]) -> None:
        socket.send_fds(self._socket, [request], streams)

    def end(self, seconds: float) -> int:
        self._socket.settimeout(seconds)
        return int(self._socket.recv(_LONGEST_REPORT))

    def close(self) -> None:
        atexit.unregister(self.close)
        self._socket.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@functools.cache
def _server() -> _Server:
    return _Server()


def _serve(requests: socket.socket) -> None:
    """Fork for each request; in the fork, run what it asks for and return."""
    from scrapy.utils.misc import walk_modules_iter  # noqa: PLC0415 - only the server needs it

    for package in _PACKAGES:
        list(walk_modules_iter(package))
    # A crawl installs its own.
    assert "twisted.internet.reactor" not in sys.modules
    gc.freeze()
    while True:
        request, streams, _, _ = socket.recv_fds(requests, _LONGEST_REQUEST, 4)
        if not request:
            return
        _bury_supervisors()
        child = os.fork()
        if not child:
            requests.close()
            if len(streams) == _STREAMS or not _supervise(streams.pop()):
                _become(request, streams)
            return
        for stream in streams:
            os.close(stream)
        if len(streams) == _STREAMS:
            _, status = os.waitpid(child, 0)
            requests.send(str(os.waitstatus_to_exitcode(status)).encode())


def _bury_supervisors() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _supervise(descriptor: int) -> bool:
    """Fork, report the fork's id and how it ends; returns whether this is not the fork."""
    os.setsid()
    reports = socket.socket(fileno=descriptor)
    program = os.fork()
    if not program:
        reports.close()
        os.setpgid(0, 0)
        return False
    # Whoever gets the report may kill the group at once.
    with contextlib.suppress(PermissionError):
        os.setpgid(program, program)
    reports.send(str(program).encode())
    _, status = os.waitpid(program, 0)
    # Nobody may want to know any more.
    with contextlib.suppress(OSError):
        reports.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(request: bytes, streams: list[int]) -> None:
    module, arguments, cwd, variables = json.loads(request)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(variables)
    # It may be another one in this environment.
    tempfile.tempdir = None
    sys.path[0] = cwd
    sys.argv[1:] = arguments
    # Loaded with the others, it would not be run as a first.
    sys.modules.pop(f"{module}.__main__", None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
