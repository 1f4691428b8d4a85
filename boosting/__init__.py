"""Boosted decision trees: parameters to grow them by, and prediction."""

from __future__ import annotations

from boosting.booster import Booster, has_library

__all__ = ["Booster", "has_library"]
