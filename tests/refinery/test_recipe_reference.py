"""The reference of recipes says what recipes are."""

from __future__ import annotations

import pytest
from loaded_program import ROOT

from refinery.recipe.reference import put_reference
from refinery.steps import STEPS

PAGE = ROOT / "docs/reference/recipe.md"


def test_the_page_is_the_one_that_the_models_give() -> None:
    """Otherwise: python -m refinery reference --update docs/reference/recipe.md."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == put_reference(page)
    assert all(f"### `{name}`" in page for name in STEPS)


def test_a_page_without_its_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="must have the lines"):
        put_reference("# Recipes")
