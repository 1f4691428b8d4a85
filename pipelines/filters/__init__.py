"""What is kept: each filter looks at a document and answers keep, or why not."""

from __future__ import annotations

from pipelines.filters.base import Filter
from pipelines.filters.chain import FilterChain
from pipelines.filters.registry import FILTERS, filter_chain

__all__ = ["FILTERS", "Filter", "FilterChain", "filter_chain"]
