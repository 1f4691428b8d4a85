"""Worker processes that can be killed: how they start, answer under a time limit, and end."""

from __future__ import annotations

import atexit
import logging
import math
import multiprocessing
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any, Final
from weakref import WeakSet, finalize

from corpus_commons.socket_folder import socket_folder

STARTING: Final = threading.Lock()
"""One process starts at a time, because it inherits this process's environment.

Hold the lock to exit: a child whose parent exits while it starts would print a traceback.
"""

# A process that takes or gives nothing of a message for so long is not waited for.
_TRANSFER_SECONDS: Final = 30.0


class WorkerDiedError(Exception):
    """The process ended before it answered; the message says how."""


class WorkerProcess:
    """A process that answers messages, one at a time.

    serve: what it runs, with its end of a pipe and the arguments.
    variables: of its environment, on top of those of this process.
    loaded: a module that all of them need; on Linux, it is imported once for all, by a process of
    which each is a fork. What it has loaded takes memory once.
    seconds: that this may take.

    On Linux, the variables and the module of the first one of a program are those of all.
    Raises WorkerDiedError if there is no such process, and none can be started; TimeoutError.
    """

    def __init__(
        self,
        serve: Callable[..., None],
        *arguments: object,
        variables: Mapping[str, str],
        loaded: str,
        seconds: float,
    ) -> None:
        context = _context()
        self._connection, theirs = context.Pipe()
        _limit_waiting(self._connection)
        self._process = context.Process(target=serve, args=(theirs, *arguments), daemon=True)
        with theirs, STARTING, environment(variables), terminal_signals_blocked():
            context.set_forkserver_preload([loaded])
            limit = threading.Timer(seconds, _kill_server)
            began = time.monotonic()
            limit.start()
            try:
                with socket_folder():
                    self._process.start()
            except (EOFError, OSError):
                self._connection.close()
                _end_server()
                if time.monotonic() - began >= seconds:
                    raise TimeoutError(f"not loaded after {seconds:g} s") from None
                raise WorkerDiedError("the process that loads for all died") from None
            finally:
                limit.cancel()
        self._handle = _handle(self._process)
        if self._handle is not None:
            finalize(self, os.close, self._handle)
        _workers_of(os.getpid()).add(self._process)

    @property
    def exit_code(self) -> int | None:
        """None while the process runs; negative if a signal ended it."""
        return self._process.exitcode

    def send(self, message: object) -> None:
        """Send a message, also to a process that is gone: ``receive`` tells."""
        try:
            self._connection.send(message)
        except BlockingIOError:
            # It stopped in the middle of the message.
            self.kill()
        except OSError:
            pass

    def receive(self, seconds: float) -> Any:
        """The next message of the process.

        Raises TimeoutError if there is none after so many seconds, WorkerDiedError if the process
        is gone. It has ended in both cases.
        """
        try:
            if self._connection.poll(max(0.0, seconds)):
                return self._connection.recv()
        except (EOFError, OSError):
            # The pipe closes shortly before the process ends: let it end by itself first.
            self._process.join(1)
            self.end()
            raise WorkerDiedError(reason_of_death(self.exit_code)) from None
        self.end()
        raise TimeoutError(f"no answer after {seconds:g} s")

    def kill(self) -> None:
        """Kill the process; may be called from any thread."""
        if self._handle is None:
            self._process.kill()
        else:
            # ``multiprocessing`` takes it for dead once the process that it is a fork of is lost.
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def end(self) -> None:
        """Kill the process and wait for its end."""
        self._connection.close()
        self.kill()
        self._process.join()


def _context() -> ForkServerContext | SpawnContext:
    # Elsewhere, libraries of the system do not bear a fork.
    if sys.platform == "linux":
        return multiprocessing.get_context("forkserver")
    return multiprocessing.get_context("spawn")


def _handle(process: BaseProcess) -> int | None:
    """A descriptor of the process, where the system has them; None if it is gone already."""
    if sys.platform == "linux" and process.pid is not None:
        with suppress(OSError):
            return os.pidfd_open(process.pid)
    return None


def _kill_server() -> None:
    number = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    if number is not None:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


def _end_server() -> None:
    """The next worker starts another, also if this one has not quite ended yet."""
    _kill_server()
    _wait_for_server()


def _wait_for_server() -> None:
    """Let it end, as nothing is asked of it any more, and wait until it has."""
    with suppress(OSError):
        forkserver._forkserver._stop()  # type: ignore[attr-defined]


@cache
def _workers_of(process: int) -> WeakSet[BaseProcess]:
    """The workers that this process, which has that number, has started; they end when it does."""
    workers: WeakSet[BaseProcess] = WeakSet()
    atexit.register(_end, process, workers)
    return workers


def _end(process: int, workers: WeakSet[BaseProcess]) -> None:
    """End the workers, and wait for the process that they are forks of: otherwise their CPU time
    would not count as that of this process's children.
    """
    if os.getpid() != process:
        # This is a fork that was made meanwhile, and they are not its own.
        return
    for worker in workers:
        worker.kill()
        worker.join()
    # Others may have processes that are forks of the same one.
    if not multiprocessing.active_children():
        _wait_for_server()


def _limit_waiting(connection: Connection) -> None:
    """Let the kernel end the wait for a process that stops in the middle of a message.

    Reading or writing then raises BlockingIOError. The pipe is a pair of sockets (socket(7)).
    """
    seconds = math.floor(_TRANSFER_SECONDS)
    value = struct.pack("@ll", seconds, round((_TRANSFER_SECONDS - seconds) * 1_000_000))
    with socket.socket(fileno=os.dup(connection.fileno())) as end:
        for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
            end.setsockopt(socket.SOL_SOCKET, option, value)


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set environment variables for processes that are started within the block."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def terminal_signals_blocked() -> Iterator[None]:
    """Block Ctrl-C and SIGHUP in processes that are started within the block, from their start on.

    A terminal sends them to all processes in the foreground. In this process, only the calling
    thread blocks them, and they stay pending there.
    """
    # Otherwise it starts with the first process, and unblocks Ctrl-C.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def reason_of_death(exit_code: int | None) -> str:
    """Describes an exit code.

    >>> reason_of_death(-11), reason_of_death(3)
    ('killed by signal 11 (Segmentation fault)', 'the process ended with status 3')
    """
    if exit_code is not None and exit_code < 0:
        return f"killed by signal {-exit_code} ({signal.strsignal(-exit_code)})"
    return f"the process ended with status {exit_code}"


def confine(memory_bytes: int | None) -> None:
    """Prepare this process for hostile pages. Call it first in a worker process.

    The process ignores Ctrl-C and SIGHUP, exits when its parent exits, gets at most
    ``memory_bytes`` of address space, and cannot log or write to the terminal.
    """
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_exit_with_parent, name="exit with parent", daemon=True).start()
    logging.disable()
    warnings.simplefilter("ignore")
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(silence, stream.fileno())
    if memory_bytes is not None:
        _bound_memory(memory_bytes)


def _bound_memory(most: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _exit_with_parent() -> None:
    """Otherwise a page that hangs would keep this process alive after its parent is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
