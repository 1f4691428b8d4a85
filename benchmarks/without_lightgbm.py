"""``boosted-blocks`` where LightGBM is not installed, for ``python -m benchmarks extraction``."""

from __future__ import annotations

from unittest.mock import patch

from extraction.methods.boosted_blocks import BoostedBlocks


def boosted_blocks() -> BoostedBlocks:
    """The method, whose trees NumPy reads."""
    with patch("corpus_commons.boosting.booster.has_library", return_value=False):
        return BoostedBlocks()
