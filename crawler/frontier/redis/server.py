"""The connection of a Redis frontier: whatever Redis goes through, a call waits and is repeated.

Errors that pass by themselves (a restart, a failover, no memory, a slow disk) are waited out;
those that only a person can mend are raised as ``FrontierError``.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError, RedisError, ResponseError

from crawler.frontier.errors import FrontierError, FrontierGoneError
from crawler.frontier.redis.scripts import Script
from settings.addresses import frontier_url, without_any_login

_log = logging.getLogger(__name__)

_CONNECT_SECONDS: Final = 10.0
# A script takes milliseconds. What takes longer is a stalled disk, a fork or a dead connection.
_ANSWER_SECONDS: Final = 30.0
_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 10.0
_SAID_AGAIN: Final = 60.0

_NEEDS_A_PERSON: Final = (
    exceptions.AuthenticationError,
    exceptions.AuthorizationError,
    exceptions.NoPermissionError,
)
_PASSES: Final = (
    exceptions.ClusterDownError,
    exceptions.ConnectionError,
    exceptions.OutOfMemoryError,
    exceptions.ReadOnlyError,
    exceptions.TimeoutError,
    exceptions.TryAgainError,
)
# Answers without a class of their own: no memory inside a script, a disk that cannot be written, a
# script of somebody else that runs too long, too few replicas.
_PASSING_WORDS: Final = ("OOM ", "MISCONF", "BUSY ", "NOREPLICAS", "LOADING", "READONLY")

T = TypeVar("T")


class Server:
    """One Redis (6.2 or later) or Valkey.

    url: ``redis://``, ``rediss://`` (TLS) or ``unix://``, with user, password and options as
        redis-py reads them. Raises FrontierError if it is none.
    patience: seconds for which one call is repeated, also one that is on its way. After a call
        that was repeated in vain every call raises at once.
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
                socket_timeout=_ANSWER_SECONDS,
                # Repeating is done here, where it is said and has an end.
                retry=Retry(NoBackoff(), 0),
            )
            # An option that is mistyped is met here, and not only where Redis is called.
            self._redis.connection_pool.make_connection()  # type: ignore[no-untyped-call]
        except (TypeError, ValueError, RedisError) as error:
            raise FrontierError(f"{self.name} is no URL of a Redis: {error}") from error

    async def call(self, script: Script, key: str, arguments: list[Any]) -> Any:
        """Run a script by its name, which Redis forgets when it starts anew."""

        async def run() -> Any:
            try:
                return await self._redis.evalsha(script.sha, 1, key, *arguments)
            except NoScriptError:
                return await self._redis.eval(script.text, 1, key, *arguments)

        return await self.repeat(run)

    async def read(self, *commands: tuple[Any, ...]) -> list[Any]:
        """The answers to some commands; without MULTI, which a full memory refuses."""

        async def run() -> list[Any]:
            async with self._redis.pipeline(transaction=False) as pipeline:
                for command in commands:
                    pipeline.execute_command(*command)
                return await pipeline.execute()

        return await self.repeat(run)

    async def repeat(self, run: Callable[[], Awaitable[T]]) -> T:
        """The answer of ``run``, which is repeated while Redis is in trouble.

        Raises FrontierError.
        """
        trouble = _Trouble(self.name)
        while True:
            if self._given_up:
                raise FrontierError(self._given_up)
            try:
                answer = await run()
            except RedisError as error:
                if not _is_passing(error):
                    raise self._broken(error) from error
                await self._pause(trouble, error)
            except OSError as error:
                await self._pause(trouble, error)
            else:
                trouble.end()
                return answer

    async def close(self) -> None:
        await self._redis.aclose()

    async def _pause(self, trouble: _Trouble, error: Exception) -> None:
        if trouble.exceeds(self.patience):
            self._given_up = trouble.told(error)
            raise FrontierError(self._given_up) from error
        await trouble.pause(error)

    def _broken(self, error: RedisError) -> FrontierError:
        if isinstance(error, _NEEDS_A_PERSON):
            return FrontierError(
                f"{self.name} refuses this user: {error}. The URL holds user and password, as in "
                "redis://user:password@host; the user needs +@all on the job's keys"
            )
        if isinstance(error, ResponseError) and "MOVED" in str(error):
            return FrontierError(
                f"{self.name} is a node of a cluster that does not hold this job ({error}): "
                "name the node that does"
            )
        if "NOJOB" in str(error):
            return FrontierGoneError(
                f"{self.name} does not know the job any more: it was freed, or Redis was started "
                "anew without what it had (see docs/scaling.md on persistence)"
            )
        return FrontierError(f"{self.name}: {error}")


class _Trouble:
    """What one call goes through: how long to wait, what to say, when to give up."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._began = self._said = 0.0
        self._pause = _FIRST_PAUSE

    def exceeds(self, patience: float) -> bool:
        """Whether there is no time for another pause."""
        now = time.monotonic()
        self._began = self._began or now
        return now - self._began + self._pause > patience

    def told(self, error: Exception) -> str:
        return (
            f"{self._server} has not answered well for {time.monotonic() - self._began:.0f} s "
            f"({type(error).__name__}: {error}): look at it, then start again. Nothing is lost"
        )

    async def pause(self, error: Exception) -> None:
        now = time.monotonic()
        if now - self._said > _SAID_AGAIN:
            self._said = now
            _log.warning("%s: %s; the crawl waits", self._server, error or type(error).__name__)
        # Workers that failed together must not come back together.
        await asyncio.sleep(self._pause * random.uniform(0.5, 1))  # noqa: S311
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)

    def end(self) -> None:
        if self._began:
            seconds = time.monotonic() - self._began
            _log.warning("%s is back after %.1f s; the crawl goes on", self._server, seconds)


def _is_passing(error: RedisError) -> bool:
    # redis-py has no class of its own for a certificate that is not trusted.
    if isinstance(error, _NEEDS_A_PERSON) or "certificate verify failed" in str(error):
        return False
    return isinstance(error, _PASSES) or any(word in str(error) for word in _PASSING_WORDS)
