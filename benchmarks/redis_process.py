"""A Redis of a benchmark's or a test's own, which can be killed and restarted on the same port."""

# ruff: noqa: S603

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

import redis

from benchmarks.free_port import free_port

# REDIS_SERVER overrides the installed one, for example with an older Redis or Valkey.
PROGRAM: Final = (
    os.environ.get("REDIS_SERVER") or shutil.which("redis-server") or shutil.which("valkey-server")
)


class RedisProcess:
    """A server with its data in ``folder``; with ``append_only`` the data survives a kill."""

    def __init__(self, folder: Path, *options: str, append_only: bool = False) -> None:
        self.port = free_port()
        self.socket = folder / "redis.sock"
        kept = ("--appendonly", "yes", "--appendfsync", "always") if append_only else ()
        self._command = [
            *(str(PROGRAM), "--port", str(self.port), "--bind", "127.0.0.1"),
            *("--unixsocket", str(self.socket), "--dir", str(folder), "--save", ""),
            *(*kept, *options),
        ]
        self._log = folder / "redis.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> Self:
        """Raises RuntimeError or TimeoutError, with its log, if it does not start."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise RuntimeError(self._log.read_text())
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except OSError:
                time.sleep(0.01)
            else:
                return self
        raise TimeoutError(self._log.read_text())

    def stop(self) -> None:
        """Kill it, so that it cannot write anything."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextlib.contextmanager
def empty_redis() -> Iterator[str]:
    """The URL of a new server, on a socket in a temporary folder, without persistence."""
    if PROGRAM is None:
        raise FileNotFoundError("neither redis-server nor valkey-server is installed")
    with TemporaryDirectory(prefix="redis-") as folder, RedisProcess(Path(folder)) as server:
        yield f"unix://{server.socket}"


def used_memory(client: redis.Redis) -> int:
    """The memory of the server's data, in bytes."""
    return int(client.info("memory")["used_memory"])


def processor_seconds(client: redis.Redis) -> float:
    """The CPU time that the server has used so far."""
    info = client.info("cpu")
    return float(info["used_cpu_user"]) + float(info["used_cpu_sys"])
