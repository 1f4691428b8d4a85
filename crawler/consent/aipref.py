"""AI preferences: ``Content-Usage: train-ai=n`` in headers and robots.txt.

Drafts of the IETF's working group aipref: draft-ietf-aipref-attach (after -04) and
draft-ietf-aipref-vocab, in their text of 19 August 2026
(https://github.com/ietf-wg-aipref/drafts). Only what both drafts agree on is read: the categories
``train-ai`` and ``search``, the preferences ``y`` and ``n``. Of several statements, the most
restrictive applies. A value that is no dictionary (RFC 9651) says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from crawler.consent.statement import HEADER, Answer, Statement
from crawler.consent.usage_lines import values_for

FIELD: Final = "Content-Usage"
HEADER_NAME: Final = FIELD.lower()
_SIGNALS: Final = {"train-ai": "content-usage", "search": "content-usage-search"}
_ANSWERS: Final[dict[str, Answer]] = {"y": "yes", "n": "no"}
# RFC 9651: an item, an inner list of items, parameters, and a member of a dictionary.
_KEY: Final = r"[a-z*][a-z0-9_.*-]*"
_BARE: Final = (
    r'(?:"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"|:[A-Za-z0-9+/=]*:|\?[01]|@?-?\d{1,15}(?:\.\d{1,3})?'
    r"|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*)"
)
_PARAMETERS: Final = rf"(?:; *{_KEY}(?:={_BARE})?)*"
_LIST: Final = rf"\( *(?:{_BARE}{_PARAMETERS}(?: +{_BARE}{_PARAMETERS})* *)?\)"
_MEMBER: Final = re.compile(rf"({_KEY})(?:=({_BARE}|{_LIST}))?{_PARAMETERS}")
_COMMA: Final = re.compile(r"[ \t]*,[ \t]*")


def of_robots(group: str, url: str, where: str) -> Iterator[Statement]:
    """What the lines of a group say about a URL. where: the file, for the statements."""
    for value in values_for(FIELD, group, url):
        yield from _statements(value, where)


def of_header(values: Iterable[str]) -> Iterator[Statement]:
    """What the header says; its lines are one dictionary."""
    yield from _statements(", ".join(values), HEADER)


def _statements(value: str, where: str) -> Iterator[Statement]:
    for label, said in _dictionary(value).items():
        if label in _SIGNALS and said in _ANSWERS:
            yield Statement.of(_SIGNALS[label], _ANSWERS[said], where, f"{FIELD}: {label}={said}")


def _dictionary(text: str) -> dict[str, str]:
    """The members, of equal keys the last, without parameters; empty if it is no dictionary.

    >>> _dictionary('train-ai;allow=n, train-ai=y, search="n"')
    {'train-ai': 'y', 'search': '"n"'}
    >>> _dictionary("Train-AI=n")
    {}
    """
    found: dict[str, str] = {}
    text, at = text.strip(" "), 0
    while member := _MEMBER.match(text, at):
        found[member[1]] = member[2] or "?1"
        comma = _COMMA.match(text, member.end())
        if comma is None:
            return found if member.end() == len(text) else {}
        at = comma.end()
    return {}
