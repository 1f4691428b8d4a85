"""A Redis server for the benchmark, on a socket in a temporary folder, without persistence."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import redis


@contextlib.contextmanager
def redis_server() -> Iterator[str]:
    """The URL of a new, empty server. Raises FileNotFoundError if none is installed."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise FileNotFoundError("neither redis-server nor valkey-server is installed")
    with TemporaryDirectory(prefix="redis-") as folder:
        socket = Path(folder) / "redis.sock"
        command = [program, "--port", "0", "--unixsocket", str(socket), "--dir", folder]
        server = subprocess.Popen(  # noqa: S603
            [*command, "--save", ""], stdout=subprocess.DEVNULL
        )
        try:
            url = f"unix://{socket}"
            while not _answers(url):
                if server.poll() is not None:
                    raise RuntimeError(f"{program} ended with {server.returncode}")
                time.sleep(0.01)
            yield url
        finally:
            server.kill()
            server.wait()


def _answers(url: str) -> bool:
    try:
        return bool(redis.Redis.from_url(url).ping())
    except redis.RedisError:
        return False


def used_memory(client: redis.Redis) -> int:
    """The memory of the server's data, in bytes."""
    return int(client.info("memory")["used_memory"])


def processor_seconds(client: redis.Redis) -> float:
    """The CPU time that the server has used so far."""
    info = client.info("cpu")
    return float(info["used_cpu_user"]) + float(info["used_cpu_sys"])
