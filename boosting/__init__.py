"""Boosted decision trees at prediction time."""

from __future__ import annotations

from boosting.booster import Booster

__all__ = ["Booster"]
