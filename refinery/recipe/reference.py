"""Generates the reference in ``docs/reference/recipe.md`` from the models."""

from __future__ import annotations

import inspect
from typing import Final

from refinery.recipe.model import Recipe
from refinery.steps import STEPS
from settings.reference import put_between, section

BEGIN: Final = "<!-- begin reference: written by `python -m refinery reference` -->\n"


def reference() -> str:
    """Every step and key with its type, default and meaning, in Markdown."""
    found = list(section("Top level", "", Recipe))
    for name, step in STEPS.items():
        meaning = " ".join(inspect.cleandoc(step.__doc__ or "").split())
        found += section(f"`{name}`", meaning, step)
    return "\n".join(found)


def put_reference(page: str) -> str:
    """The page with the part between BEGIN and END replaced. Raises ValueError without them."""
    return put_between(page, BEGIN, reference())
