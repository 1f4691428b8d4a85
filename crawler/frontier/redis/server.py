"""The connection to Redis, which retries calls during outages.

Transient errors (a restart, a failover, out of memory, a slow disk) are retried with backoff.
Errors that need an operator are raised as ``FrontierError``.
"""

from __future__ import annotations

import asyncio
import logging
import random
import socket
import ssl
import time
from collections.abc import Awaitable, Callable
from functools import cache
from hashlib import sha1
from importlib.resources import files
from typing import Any, Final, TypeVar

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError, ResponseError

from crawler.frontier.errors import FrontierError, FrontierGoneError
from settings.frontier_address import frontier_url
from settings.logins import without_any_login

_log = logging.getLogger(__name__)

_CONNECT_SECONDS: Final = 10.0
# A script takes milliseconds, unless the disk stalls, Redis forks or the connection is dead.
_REPLY_SECONDS: Final = 30.0
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 10.0
_LOG_INTERVAL: Final = 60.0

_PERMANENT: Final = (
    exceptions.AuthenticationError,
    exceptions.AuthorizationError,
    exceptions.NoPermissionError,
)
_TRANSIENT: Final = (
    exceptions.ClusterDownError,
    exceptions.ConnectionError,
    exceptions.OutOfMemoryError,
    exceptions.ReadOnlyError,
    exceptions.TimeoutError,
    exceptions.TryAgainError,
)
# Errors without a class of their own: out of memory in a script, a failing disk, another client's
# script that runs too long, too few replicas.
_TRANSIENT_MESSAGES: Final = ("OOM ", "MISCONF", "BUSY ", "NOREPLICAS", "LOADING", "READONLY")

# What scripts share beyond the prelude.
_PARTS: Final = {
    "ack": ("visits",),
    "add": ("seen", "visits"),
    "expire": ("losses",),
    "forget": ("seen", "visits"),
    "history": ("visits",),
    "lease": ("losses", "visits"),
    "recount": ("visits",),
}

T = TypeVar("T")


@cache
def _script(name: str) -> tuple[str, str]:
    """The script ``lua/NAME.lua``, an atomic step, with what it shares; and its SHA-1."""
    folder = files("crawler.frontier.redis") / "lua"
    names = ("prelude", *_PARTS.get(name, ()), name)
    text = "\n".join((folder / f"{part}.lua").read_text(encoding="utf-8") for part in names)
    # Redis requires SHA-1; security does not depend on it.
    return text, sha1(text.encode(), usedforsecurity=False).hexdigest()


class Server:
    """A Redis (6.2 or later) or Valkey server.

    url: ``redis://``, ``rediss://`` (TLS) or ``unix://``, with user, password and options as in
        redis-py. Raises FrontierError if it is invalid.
    patience: seconds for which a call is retried; changes also apply to calls in progress. Once a
        call has been retried in vain, all later calls raise at once.
    """

    def __init__(self, url: str, *, patience: float) -> None:
        self.name = without_any_login(url).partition("?")[0]
        self.patience = patience
        self._given_up = ""
        try:
            frontier_url(url)
            self._redis: Redis = Redis.from_url(
                url,
                socket_connect_timeout=_CONNECT_SECONDS,
                socket_timeout=_REPLY_SECONDS,
                # Retries are done below, where they are logged and limited.
                retry=Retry(NoBackoff(), 0),
            )
            # Fails here for a mistyped option, instead of at the first call.
            self._redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        except (TypeError, ValueError, RedisError) as error:
            raise FrontierError(f"{self.name} is not a valid Redis URL: {error}") from error

    async def call(self, name: str, key: str, arguments: list[Any]) -> Any:
        """Run a script by its SHA-1, or by its source if Redis does not have it cached."""
        text, sha = _script(name)

        async def run() -> Any:
            try:
                return await self._redis.evalsha(sha, 1, key, *arguments)
            except NoScriptError:
                return await self._redis.eval(text, 1, key, *arguments)

        return await self.repeat(run)

    async def read(self, *commands: tuple[Any, ...]) -> list[Any]:
        """The replies to some commands; without MULTI, which Redis refuses when out of memory."""

        async def run() -> list[Any]:
            async with self._redis.pipeline(transaction=False) as pipeline:
                for command in commands:
                    pipeline.execute_command(*command)
                return await pipeline.execute()

        return await self.repeat(run)

    async def repeat(self, run: Callable[[], Awaitable[T]]) -> T:
        """The result of ``run``, which is retried during an outage of Redis.

        Raises FrontierError.
        """
        outage = _Outage(self.name)
        while True:
            if self._given_up:
                raise FrontierError(self._given_up)
            try:
                result = await run()
            except RedisError as error:
                if not _is_transient(error):
                    raise self._permanent(error) from error
                await self._pause(outage, error)
            except OSError as error:
                await self._pause(outage, error)
            else:
                outage.end()
                return result

    def gone(self) -> FrontierGoneError:
        """The error of a job that is no longer there."""
        return FrontierGoneError(
            f"{self.name} no longer has the job: it was freed, or Redis was restarted and lost "
            "its data (see docs/how-to/many-workers.md on persistence)"
        )

    async def close(self) -> None:
        await self._redis.aclose()

    async def _pause(self, outage: _Outage, error: Exception) -> None:
        if outage.exceeds(self.patience):
            self._given_up = outage.message(error)
            raise FrontierError(self._given_up) from error
        await outage.pause(error)

    def _permanent(self, error: RedisError) -> FrontierError:
        if isinstance(error, _PERMANENT):
            return FrontierError(
                f"{self.name} refuses this user: {error}; put user and password into the URL, as "
                "in redis://user:password@host, and grant the user +@all on the job's keys"
            )
        if isinstance(error, ResponseError) and "MOVED" in str(error):
            return FrontierError(
                f"{self.name} is a cluster node that does not hold this job ({error}); give the "
                "URL of the node that does"
            )
        if "NOJOB" in str(error):
            return self.gone()
        return FrontierError(f"{self.name}: {error}")


class _Outage:
    """An outage during one call: how long to wait, what to log, when to give up."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._began = self._logged = 0.0
        self._pause = _FIRST_PAUSE

    def exceeds(self, patience: float) -> bool:
        """Whether another pause would take too long."""
        now = time.monotonic()
        self._began = self._began or now
        return now - self._began + self._pause > patience

    def message(self, error: Exception) -> str:
        return (
            f"{self._server} has been failing for {time.monotonic() - self._began:.0f} s "
            f"({_words(self._server, error)}); check it, then start again, nothing is lost"
        )

    async def pause(self, error: Exception) -> None:
        now = time.monotonic()
        if now - self._logged > _LOG_INTERVAL:
            self._logged = now
            _log.warning("%s: %s; retrying", self._server, _words(self._server, error))
        # Jitter, so that workers which failed together do not retry together.
        await asyncio.sleep(self._pause * random.uniform(0.5, 1))  # noqa: S311
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def end(self) -> None:
        if self._began:
            seconds = time.monotonic() - self._began
            _log.warning("%s is back after %.1f s; continuing", self._server, seconds)


def _words(server: str, error: Exception) -> str:
    """What is wrong; redis-py says numbers and tuples of the commonest mistakes."""
    causes = {type(cause) for cause in (error, error.__cause__, error.__context__)}
    if ConnectionRefusedError in causes:
        return "nothing listens there; is Redis running, and is this its port?"
    if socket.gaierror in causes:
        return "the name does not resolve"
    # In a script, the error has no class of its own.
    if isinstance(error, exceptions.OutOfMemoryError) or "OOM " in str(error):
        return (
            "its memory is full; raise its maxmemory, or remove jobs that are done with "
            "`genre-crawler frontier export JOB --to FILE --free`"
        )
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    # A Redis without TLS waits for the end of what it takes for a command, or answers in plain
    # text. Who answers with an alert does speak it.
    has_no_tls = "Timeout connecting" in words or (ssl.SSLError in causes and "ALERT" not in words)
    if server.startswith("rediss:") and has_no_tls:
        return f"{words}; does it speak TLS there? If not, its URL begins with redis://"
    return words


def _is_transient(error: RedisError) -> bool:
    # redis-py has no class of its own for an untrusted certificate.
    if isinstance(error, _PERMANENT) or "certificate verify failed" in str(error):
        return False
    return isinstance(error, _TRANSIENT) or any(text in str(error) for text in _TRANSIENT_MESSAGES)
