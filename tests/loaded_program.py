"""``python -m scrapy`` and ``python -m crawler`` as a user runs them, but for the loading.

A server, one for each process of pytest, has loaded them; a run is a fork of it with arguments,
folder, environment and standard streams of its own, and it ends as Python does. Its workers are
forks as well. Tests await its end (``run``), or disturb it meanwhile (``start``).
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
from multiprocessing import util
from pathlib import Path
from typing import Literal, TextIO

import forked_workers

TESTS = Path(__file__).parent
ROOT = TESTS.parent
# Where programs find what tests plug into them.
PYTHONPATH = f"{ROOT}:{TESTS / 'crawler'}"
_PACKAGES = ("scrapy.commands", "crawler", "pipelines", "live")
_LONGEST_REQUEST = 1_000_000
_LONGEST_REPORT = 100


def run(
    module: str,
    *arguments: str,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    standard_input: str = "",
    stdout: int = subprocess.PIPE,
    seconds: float = 100,
) -> subprocess.CompletedProcess[str]:
    """Run it to its end, as ``subprocess.run`` does. Raises TimeoutExpired if there is none.

    environment: on top of this process's.
    """
    program = start(
        module, *arguments, cwd=cwd, environment=environment, stdin=subprocess.PIPE, stdout=stdout
    )
    out, errors = program.communicate(standard_input, seconds)
    return subprocess.CompletedProcess(arguments, program.wait(), out, errors)


class Program:
    """A program that was started: a ``subprocess.Popen``, as far as tests use it.

    stdin, stdout, stderr: our ends of its pipes; None for streams that are none.
    """

    def __init__(
        self,
        reports: socket.socket,
        stdin: TextIO | None,
        stdout: TextIO | None,
        stderr: TextIO | None,
    ) -> None:
        self.pid = int(reports.recv(_LONGEST_REPORT))
        self.returncode: int | None = None
        self.stdin, self.stdout, self.stderr = stdin, stdout, stderr
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

    def communicate(self, standard_input: str = "", timeout: float | None = None) -> list[str]:
        """What it writes to its standard output and error, once it has ended; "" for no pipe."""
        with ThreadPoolExecutor(2) as readers:
            said = [readers.submit(_read, stream) for stream in (self.stdout, self.stderr)]
            try:
                if self.stdin is not None:
                    with contextlib.suppress(BrokenPipeError), self.stdin:
                        self.stdin.write(standard_input)
                self.wait(timeout)
            except BaseException:
                # Whatever it is at, it and what it started are gone.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.pid, signal.SIGKILL)
                raise
            return [text.result() for text in said]

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _read(stream: TextIO | None) -> str:
    if stream is None:
        return ""
    with stream:
        return stream.read()


def start(
    module: str,
    *arguments: str,
    cwd: Path = ROOT,
    environment: Mapping[str, str] | None = None,
    stdin: int = subprocess.DEVNULL,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.PIPE,
) -> Program:
    """Start it, in a process group of its own; the streams are those of ``subprocess.Popen``."""
    reports, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with contextlib.ExitStack() as stack:
        stack.enter_context(theirs)
        given, our_in = _stream(stdin, "w", stack)
        said, our_out = _stream(stdout, "r", stack)
        is_joined = stderr == subprocess.STDOUT
        errors, our_errors = (said, None) if is_joined else _stream(stderr, "r", stack)
        streams = [given, said, errors, theirs.fileno()]
        _server().begin(_request(module, arguments, cwd, environment), streams)
    return Program(reports, our_in, our_out, our_errors)


def _stream(
    wanted: int, mode: Literal["r", "w"], stack: contextlib.ExitStack
) -> tuple[int, TextIO | None]:
    """The program's descriptor, which the stack closes, and our end of the pipe if it is one.

    wanted: a descriptor, PIPE or DEVNULL. mode: of our end.
    """
    if wanted == subprocess.PIPE:
        out, into = os.pipe()
        ours, theirs = (into, out) if mode == "w" else (out, into)
        stack.callback(os.close, theirs)
        return theirs, os.fdopen(ours, mode, encoding="utf-8")
    if wanted == subprocess.DEVNULL:
        nowhere = os.open(os.devnull, os.O_RDWR)
        stack.callback(os.close, nowhere)
        return nowhere, None
    return wanted, None


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
    _warm()
    # A crawl installs its own.
    assert "twisted.internet.reactor" not in sys.modules
    gc.freeze()
    while True:
        request, streams, _, _ = socket.recv_fds(requests, _LONGEST_REQUEST, 4)
        if not request:
            return
        _bury_supervisors()
        if not os.fork():
            requests.close()
            _go_on_supervised(streams.pop())
            _become(request, streams)
            return
        for stream in streams:
            os.close(stream)


def _warm() -> None:
    """Load the models with which page workers read."""
    from pipelines.reading.page_reader import PageReader  # noqa: PLC0415 - only the server needs it

    PageReader().warm()


def _bury_supervisors() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def _go_on_supervised(descriptor: int) -> None:
    """Go on in a fork, and here report its id and how it ends."""
    os.setsid()
    reports = socket.socket(fileno=descriptor)
    program = os.fork()
    if not program:
        reports.close()
        os.setpgid(0, 0)
        return
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
    util.spawnv_passfds = forked_workers.start
    # Loaded with the others, it would not be run as a first.
    sys.modules.pop(f"{module}.__main__", None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
