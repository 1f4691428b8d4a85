"""Generates the reference in ``docs/reference/recipe.md`` from the models."""

from __future__ import annotations

import inspect
from typing import Final

from refinery.recipe.model import Recipe
from refinery.steps import STEPS
from settings.reference import section

BEGIN: Final = "<!-- begin reference: written by `python -m refinery reference` -->\n"
END: Final = "<!-- end reference -->\n"


def reference() -> str:
    """Every step and key with its type, default and meaning, in Markdown."""
    found = list(section("Top level", "", Recipe))
    for name, step in STEPS.items():
        meaning = " ".join(inspect.cleandoc(step.__doc__ or "").split())
        found += section(f"`{name}`", meaning, step)
    return "\n".join(found)


def put_reference(page: str) -> str:
    """The page with the part between BEGIN and END replaced. Raises ValueError without them."""
    before, found, rest = page.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise ValueError(f"the page must have the lines {BEGIN.strip()!r} and {END.strip()!r}")
    return f"{before}{BEGIN}{reference()}{END}{after}"
