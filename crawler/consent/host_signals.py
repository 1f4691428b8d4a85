"""What the files of a host say about the use of a page: robots.txt, tdmrep.json, ai.txt, RSL.

They are fetched as robots.txt is: through the same guard, once for each host within their lifetime,
shared in a fleet. A host that lacks one, or fails to send it, says nothing by it; only a licence of
RSL, which something names, must be readable.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, Final, Generic, TypeVar

from scrapy.http import Response

from crawler.consent import ai_txt, aipref, content_signals, robots_agents, rsl, tdmrep
from crawler.consent.page_signals import PageSignals
from crawler.consent.signals import Signals
from crawler.consent.statement import (
    AI_TXT,
    ROBOTS_TXT,
    TDMREP,
    FileRead,
    Statement,
    consent_data,
)
from crawler.items import timestamp
from crawler.politeness.host_files import HostFiles, followed
from crawler.politeness.lifetime import age, lifetime
from crawler.politeness.robots import Robots, RobotsText, RobotsUnreachableError
from crawler.politeness.robots_file import group_for, text_of
from crawler.politeness.shared_files import Fetch, is_there
from crawler.urls import UrlError, address, origin_of

_log = logging.getLogger(__name__)

# A file that could not be fetched is asked for again after so many seconds.
_TROUBLE: Final = 600.0
# What parsed contents need more than their text, as measured for tdmrep.json.
_GROWTH: Final = 4
_UNREACHABLE: Final = 0

Content = TypeVar("Content")


@dataclass(frozen=True, slots=True)
class _File(Generic[Content]):
    """content: None if there is none; then ``problem`` says why. status: 0 if unreachable."""

    status: int
    read_at: datetime
    expires: float
    size: int = 0
    content: Content | None = None
    problem: str = ""


class HostSignals:
    """Reads the files of hosts.

    robots: the rules of all hosts; with the groups of trainers.
    fetch: fetches a URL to which no rules apply, without following redirects; raises what Scrapy
        raises.
    """

    def __init__(self, robots: Robots, fetch: Fetch) -> None:
        self._robots = robots
        self._fetch = fetch
        self._tdmrep = HostFiles(partial(self._ask, tdmrep.rules_of))
        self._ai_txt = HostFiles(partial(self._ask, self._rules_of_ai_txt))
        self._licences = HostFiles(partial(self._ask, rsl.contents_of))

    async def consent(self, url: str, page: PageSignals) -> dict[str, Any]:
        """``metadata.consent`` of a page: what it says itself, and what its host's files say."""
        files, found = await self.of_host(url)
        for where, licence in page.licences:
            found += await self._of_licence(licence, url, where)
        return consent_data(Signals.shipped().rules, files, [*page.found, *found])

    async def ask(self, url: str) -> tuple[_File[tuple[tdmrep.Rule, ...]], _File[str]]:
        """The host's tdmrep.json and ai.txt, fetched if they are not known; raises nothing."""
        origin = origin_of(url)
        return await self._tdmrep.get(origin + TDMREP), await self._ai_txt.get(origin + AI_TXT)

    async def of_host(self, url: str) -> tuple[list[FileRead], list[Statement]]:
        """The host's files, with status and time, and what they say about a URL."""
        reservations, rules = await self.ask(url)
        files = [_read(TDMREP, reservations), _read(AI_TXT, rules)]
        found = tdmrep.of_file(reservations.content or (), url)
        if rules.content:
            parsed = self._robots.read_rules.of(rules.content)
            found += ai_txt.of_rules(parsed, url, self._robots.agent)
        try:
            text = await self._robots.text(url)
        except RobotsUnreachableError:
            return [FileRead(ROBOTS_TXT, _UNREACHABLE, timestamp(datetime.now(UTC))), *files], found
        files.insert(0, FileRead(ROBOTS_TXT, text.status, timestamp(text.read_at)))
        found += self._of_robots(text, url)
        for licence in text.licences:
            found += await self._of_licence(licence, url, ROBOTS_TXT)
        return files, found

    def _of_robots(self, text: RobotsText, url: str) -> list[Statement]:
        found = [
            statement
            for lines in text.usages
            for read in (content_signals.statements, aipref.of_robots)
            for statement in read(lines, url, ROBOTS_TXT)
        ]
        found += robots_agents.statements(text.named, url, self._robots.read_rules)
        if not self._robots.allows(text, url):
            found.append(Statement.of("robots", "no", ROBOTS_TXT, "Disallow for this crawler"))
        return list(dict.fromkeys(found))

    async def _of_licence(self, licence: str, url: str, where: str) -> list[Statement]:
        try:
            name = address(licence).url
        except UrlError as error:
            return [rsl.unread(where, licence, str(error))]
        file = await self._licences.get(name)
        if file.content is None:
            return [rsl.unread(where, name, file.problem)]
        return rsl.statements(file.content, url, where, name)

    def _rules_of_ai_txt(self, text: str) -> str:
        """The group for us; a page of HTML, with which some hosts answer for any URL, has none."""
        return "" if text.lstrip().startswith("<") else group_for(self._robots.agent, text)

    async def _ask(
        self, read: Callable[[str], Content], url: str, _: _File[Content] | None
    ) -> _File[Content]:
        try:
            response = await followed(self._fetch, url)
        except Exception as error:
            _log.info("could not fetch %s: %s", url, type(error).__name__)
            soon = time.monotonic() + _TROUBLE
            return _File(_UNREACHABLE, datetime.now(UTC), soon, problem=type(error).__name__)
        return self._file(read, response)

    def _file(self, read: Callable[[str], Content], response: Response) -> _File[Content]:
        now = datetime.now(UTC)
        read_at = now - timedelta(seconds=age(response))
        left = lifetime(response) if response.status < 500 else _TROUBLE
        expires = time.monotonic() + left
        if not is_there(response):
            return _File(response.status, read_at, expires, problem=f"status {response.status}")
        text = text_of(response.body)
        try:
            content = read(text)
        except ValueError as error:
            return _File(response.status, read_at, expires, problem=str(error))
        size = _GROWTH * sys.getsizeof(text) if content else 0
        return _File(response.status, read_at, expires, size, content)


def _read(path: str, file: _File[Any]) -> FileRead:
    return FileRead(path, file.status, timestamp(file.read_at))
