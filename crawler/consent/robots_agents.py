"""Rules of robots.txt for the agents of AI trainers, such as ``User-agent: GPTBot``.

RFC 9309 (September 2022), https://www.rfc-editor.org/rfc/rfc9309. Only groups that name an agent
count: those for everybody are for us, too, and are obeyed before a page is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from crawler.consent.statement import ROBOTS_TXT, Statement
from crawler.politeness.robots_file import RulesCache

SIGNAL: Final = "robots-agents"
# Groups are rewritten for everybody.
_ANYBODY: Final = "*"


def statements(
    groups: Iterable[tuple[Sequence[str], str]], url: str, read: RulesCache
) -> Iterator[Statement]:
    """What the groups say about a URL: of each, its agents and its rules, rewritten for ``*``."""
    for agents, group in groups:
        if not read.of(group).can_fetch(url, _ANYBODY):
            yield Statement.of(SIGNAL, "no", ROBOTS_TXT, f"Disallow for {', '.join(agents)}")
