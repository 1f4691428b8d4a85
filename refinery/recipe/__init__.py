"""Recipes: a TOML file with a plain list of steps, validated before anything is read."""

from __future__ import annotations

from refinery.recipe.loading import load_recipe, parse_recipe
from refinery.recipe.model import Recipe

__all__ = ["Recipe", "load_recipe", "parse_recipe"]
