"""Gradient-boosted trees that label every block of a page; the kept set maximises expected F1."""

from extraction.methods.boosted_blocks.extractor import BoostedBlocks

__all__ = ["BoostedBlocks"]
