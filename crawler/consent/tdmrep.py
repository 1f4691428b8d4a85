"""TDMRep: the TDM Reservation Protocol, ``tdm-reservation: 1``.

https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/, the final report of the W3C
community group of 10 May 2024 (source of 7 December 2025). A value other than 0 and 1 says nothing.
What the page says replaces what its header says, and that what the file of the host says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from crawler.consent.path_patterns import matches, path_of
from crawler.consent.statement import HEADER, PAGE, TDMREP, Answer, Statement

SIGNAL: Final = "tdmrep"
RESERVATION: Final = "tdm-reservation"
POLICY: Final = "tdm-policy"
_MOST_RULES: Final = 10_000
_ANSWERS: Final[dict[str, Answer]] = {"1": "no", "0": "yes"}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the file: ``location`` is a pattern of paths."""

    location: str
    reservation: str
    policy: str


def rules_of(text: str) -> tuple[Rule, ...]:
    """The rules in the text of a ``tdmrep.json``; none if it is not such a file."""
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError:
        return ()
    # A single rule without the brackets is a common mistake.
    entries = [found] if isinstance(found, dict) else found if isinstance(found, list) else []
    rules = (_rule(entry) for entry in entries[:_MOST_RULES] if isinstance(entry, dict))
    return tuple(rule for rule in rules if rule is not None)


def _rule(entry: dict[str, Any]) -> Rule | None:
    location, reservation = entry.get("location"), entry.get(RESERVATION)
    if not isinstance(location, str) or isinstance(reservation, bool | float):
        return None
    return Rule(location, str(reservation), str(entry.get(POLICY) or ""))


def of_file(rules: Iterable[Rule], url: str) -> list[Statement]:
    """What the first rule that matches says about a URL."""
    path = path_of(url)
    first = next((rule for rule in rules if matches(rule.location, path)), None)
    return _said(first.reservation, first.policy, TDMREP) if first else []


def of_header(headers: Mapping[str, str]) -> list[Statement]:
    """headers: by their names in lower case."""
    return _said(headers.get(RESERVATION, ""), headers.get(POLICY, ""), HEADER)


def of_page(metas: Mapping[str, str]) -> list[Statement]:
    """metas: contents of ``<meta>`` by name, in lower case."""
    return _said(metas.get(RESERVATION, ""), metas.get(POLICY, ""), PAGE)


def _said(reservation: str, policy: str, where: str) -> list[Statement]:
    value = reservation.strip()
    if value not in _ANSWERS:
        return []
    text = f"{RESERVATION}: {value}" + (f", {POLICY}: {policy}" if policy else "")
    return [Statement.of(SIGNAL, _ANSWERS[value], where, text)]


def effective(found: Iterable[Statement]) -> list[Statement]:
    """The statements without those of this protocol that a later one replaces."""
    statements = list(found)
    ours = {one.where for one in statements if one.signal == SIGNAL}
    last = next((where for where in (PAGE, HEADER, TDMREP) if where in ours), None)
    return [one for one in statements if one.signal != SIGNAL or one.where == last]
