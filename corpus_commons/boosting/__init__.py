"""Boosted decision trees: training parameters, prediction, and model files."""

from __future__ import annotations

from corpus_commons.boosting.booster import Booster

__all__ = ["Booster"]
