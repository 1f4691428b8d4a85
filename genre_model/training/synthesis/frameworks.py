"""CSS frameworks: their style sheets, and their classes for the parts of a page.

A part of a page has a role ("card", "button", "pagination"). A page made with a framework has the
framework's classes for these roles; classless frameworks style the bare elements.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any


@dataclass(frozen=True)
class Framework:
    """`sheets`: alternatives of which one is used, each below node_modules."""

    name: str
    sheets: tuple[str, ...]
    classes: Mapping[str, str]
    weight: float = 1.0


OWN = Framework("own", (), {})
"""No framework: everything is styled by the page's own style sheet."""


def _framework(name: str, entry: Mapping[str, Any], tables: Mapping[str, Any]) -> Framework:
    classes: dict[str, str] = {}
    for table in entry.get("classes", ()):
        classes |= tables[table]
    return Framework(name, _sheets(entry), classes, entry.get("weight", 1.0))


def _sheets(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(entry["sheet"].format(variant) for variant in entry.get("variants", ("",)))


_FILE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

FRAMEWORKS = tuple(
    _framework(name, entry, _FILE["classes"]) for name, entry in _FILE["frameworks"].items()
)
CODE_SHEETS = tuple(sheet for entry in _FILE["code"] for sheet in _sheets(entry))
"""Style sheets of highlighted source code."""


def random_framework(rng: Random) -> Framework:
    """Half of the pages use a framework, half only their own style sheet."""
    if rng.random() < 0.5:
        return OWN
    return rng.choices(FRAMEWORKS, [each.weight for each in FRAMEWORKS])[0]


def missing_sheets(packages: Path) -> list[str]:
    """The style sheets that are missing in `packages`/node_modules."""
    sheets = [sheet for each in FRAMEWORKS for sheet in each.sheets] + list(CODE_SHEETS)
    return [sheet for sheet in sheets if not (packages / "node_modules" / sheet).is_file()]
