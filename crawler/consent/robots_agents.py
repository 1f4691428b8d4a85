"""Rules of robots.txt for the agents of AI trainers, such as ``User-agent: GPTBot``.

RFC 9309 (September 2022), https://www.rfc-editor.org/rfc/rfc9309. Only groups that name an agent
count: those for everybody are for us, too, and are obeyed before a page is fetched.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from crawler.consent.statement import ROBOTS_TXT, Statement
from crawler.politeness.robots_file import RulesCache
from settings.tables.consent import Consent

SIGNAL: Final = "robots-agents"
# Groups are rewritten for everybody.
_ANYBODY: Final = "*"


@cache
def _list() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "agents.toml").read_text(encoding="utf-8"))


def trainers() -> dict[str, str]:
    """The known agents, with their operators."""
    found: dict[str, str] = _list()["agents"]
    return found


def trainers_for(consent: Consent) -> tuple[str, ...]:
    """The agents whose rules count for a job: those that it names, or else all known ones."""
    return tuple(trainers() if consent.agents is None else consent.agents)


def list_date() -> str:
    """The day as of which they are known, ISO 8601."""
    found: str = _list()["date"]
    return found


def statements(
    groups: Iterable[tuple[Sequence[str], str]], url: str, read: RulesCache
) -> Iterator[Statement]:
    """What the groups say about a URL: of each, its agents and its rules, rewritten for ``*``."""
    for agents, group in groups:
        if not read.of(group).can_fetch(url, _ANYBODY):
            yield Statement.of(SIGNAL, "no", ROBOTS_TXT, f"Disallow for {', '.join(agents)}")
