"""The element classifier of Yunis's thesis, which labels elements as main content or noise."""

from extraction.methods.elements.extractor import Elements

__all__ = ["Elements"]
