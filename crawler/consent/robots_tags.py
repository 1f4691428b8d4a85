"""Robots tags: ``X-Robots-Tag`` and ``<meta name=robots>``.

https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag, as of 2026, and
``noai`` and ``noimageai`` of DeviantArt (https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371,
11 November 2022). Rules for all crawlers apply, and those for the agents that are asked about; of
competing ones the most restrictive.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from crawler.consent.statement import Statement
from crawler.http_times import http_date

HEADER_NAME: Final = "x-robots-tag"
EVERYBODY: Final = "robots"
_UNAVAILABLE: Final = "unavailable_after"
_SIGNALS: Final = {
    "noindex": "noindex",
    "none": "noindex",
    "noarchive": "noarchive",
    "nocache": "noarchive",
    "nosnippet": "nosnippet",
    "max-snippet:0": "nosnippet",
    "noai": "noai",
    "noml": "noai",
    "noimageai": "noimageai",
}
_NO_FOLLOWING: Final = frozenset({"nofollow", "none"})
_AGENT: Final = re.compile(r"\s*[a-z][\w.-]*\s*")
_WITH_VALUES: Final = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", _UNAVAILABLE}
)
_SPACE: Final = re.compile(r"\s+")
_LONGEST: Final = 5_000

Rule = tuple[str, str]
"""The agent that a rule is for, in lower case, and the rule."""


def rules_of_header(values: Iterable[str]) -> Iterator[Rule]:
    """The rules of the header. An agent with a colon applies to what follows, up to the next.

    >>> list(rules_of_header(["noarchive", "Other-Bot: noindex, nofollow"]))
    [('robots', 'noarchive'), ('other-bot', 'noindex'), ('other-bot', 'nofollow')]
    """
    for value in values:
        agent = EVERYBODY
        for part in _parts(value):
            name, colon, rule = part.partition(":")
            is_agent = colon and _AGENT.fullmatch(name) and name.strip() not in _WITH_VALUES
            agent = name.strip() if is_agent else agent
            yield from _single(agent, rule.strip() if is_agent else part)


def rules_of_page(metas: Iterable[tuple[str, str]]) -> Iterator[Rule]:
    """The rules of ``<meta>`` elements, given by name and content; every name is an agent."""
    for name, content in metas:
        for part in _parts(content):
            yield from _single(name.strip().lower(), part)


def forbids_following(rules: Iterable[Rule], agent: str) -> bool:
    """Whether the links of the page must not be followed by ``agent``.

    >>> forbids_following([("other-bot", "nofollow")], "my-bot")
    False
    """
    names = {EVERYBODY, agent.lower()}
    return any(name in names and rule in _NO_FOLLOWING for name, rule in rules)


def statements(rules: Iterable[Rule], agents: Collection[str], where: str) -> Iterator[Statement]:
    """What the rules for everybody and for ``agents`` say about the use of the page."""
    names = {EVERYBODY, *(agent.lower() for agent in agents)}
    for name, rule in rules:
        if name not in names:
            continue
        text = rule if name == EVERYBODY else f"{name}: {rule}"
        label, _, value = rule.partition(":")
        if label == _UNAVAILABLE:
            if moment := _moment(value):
                since = moment.isoformat()
                yield Statement.of("unavailable-after", "no", where, text, since)
        elif signal := _SIGNALS.get(rule):
            yield Statement.of(signal, "no", where, text)


def _parts(value: str) -> Iterator[str]:
    """The parts between commas; a date may have a comma itself."""
    date = ""
    for part in value[:_LONGEST].lower().split(","):
        text = part.strip()
        if date and text[:1].isdigit():
            date, text = "", f"{date}, {text}"
        if date:
            yield date
            date = ""
        if _UNAVAILABLE in text and ", " not in text:
            date = text
        elif text:
            yield text
    if date:
        yield date


def _single(agent: str, part: str) -> Iterator[Rule]:
    """The rules of a part; without commas, white space separates them, too."""
    label, colon, value = part.partition(":")
    if colon and label.strip() in _WITH_VALUES:
        yield agent, f"{label.strip()}:{value.strip()}"
    else:
        yield from ((agent, rule) for rule in part.split())


def _moment(text: str) -> datetime | None:
    """The moment of a date as RFC 822, RFC 850 or ISO 8601 writes it; None for any other.

    >>> _moment("25 jun 2010 15:00:00 pst").isoformat(), _moment("2030-09-21").isoformat()
    ('2010-06-25T15:00:00-08:00', '2030-09-21T00:00:00+00:00')
    """
    plain = _SPACE.sub(" ", text.strip()).upper()
    try:
        found = datetime.fromisoformat(plain)
    except ValueError:
        return http_date(plain)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
