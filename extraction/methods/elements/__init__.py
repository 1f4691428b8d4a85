"""The element classifier of Yunis's thesis: main content or noise, element by element."""

from extraction.methods.elements.extractor import Elements

__all__ = ["Elements"]
