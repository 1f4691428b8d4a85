"""The agents of AI trainers, such as GPTBot, by which owners speak to them in robots.txt."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from settings.tables.consent import Consent


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
