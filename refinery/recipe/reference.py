"""Generates the reference in ``docs/reference/recipe.md`` from the models."""

from __future__ import annotations

import inspect
from typing import Final

from refinery.recipe.model import Publication, Recipe
from refinery.steps import STEPS
from settings.reference import put_between, section
from settings.values import Table

BEGIN: Final = "<!-- begin reference: written by `python -m refinery reference` -->\n"


def reference() -> str:
    """Every step and key with its type, default and meaning, in Markdown."""
    found = list(section("Top level", "", Recipe))
    found += section("`[publication]`", _meaning(Publication), Publication)
    for name, step in STEPS.items():
        found += section(f"`{name}`", _meaning(step), step)
    return "\n".join(found)


def _meaning(table: type[Table]) -> str:
    return " ".join(inspect.cleandoc(table.__doc__ or "").split())


def put_reference(page: str) -> str:
    """The page with the part between BEGIN and END replaced. Raises ValueError without them."""
    return put_between(page, BEGIN, reference())
