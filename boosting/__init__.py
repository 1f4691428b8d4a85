"""Boosted decision trees: parameters to grow them by, prediction, and files of models."""

from __future__ import annotations

from boosting.booster import Booster, has_library

__all__ = ["Booster", "has_library"]
