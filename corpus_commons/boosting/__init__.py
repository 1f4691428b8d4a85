"""Boosted decision trees: training parameters, prediction, and model files."""

from __future__ import annotations

from corpus_commons.boosting.booster import Booster
from corpus_commons.boosting.library_trees import has_library

__all__ = ["Booster", "has_library"]
