"""``python -m scrapy`` and ``python -m crawler`` as a user runs them, but for the loading.

A server, one for each process of pytest, has loaded them; a run is a fork of it with arguments,
folder, environment and standard streams of its own, and it ends as Python does.
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
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent
# Where programs find what tests plug into them.
PYTHONPATH = f"{ROOT}:{TESTS / 'crawler'}"
_PACKAGES = ("scrapy.commands", "crawler", "pipelines", "live")
_LONGEST_REQUEST = 1_000_000


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
    variables = {**os.environ, "PYTHONPATH": PYTHONPATH, **(environment or {})}
    request = json.dumps([module, arguments, str(cwd), variables]).encode()
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
        return int(self._socket.recv(100))

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
        request, streams, _, _ = socket.recv_fds(requests, _LONGEST_REQUEST, 3)
        if not request:
            return
        child = os.fork()
        if not child:
            requests.close()
            _become(request, streams)
            return
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(child, 0)
        requests.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(request: bytes, streams: list[int]) -> None:
    module, arguments, cwd, variables = json.loads(request)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(variables)
    sys.path[0] = cwd
    sys.argv[1:] = arguments
    # Loaded with the others, it would not be run as a first.
    sys.modules.pop(f"{module}.__main__", None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
