"""What is kept: each filter looks at a document and answers keep, or why not."""

from __future__ import annotations

from pipelines.filters.base import Filter
from pipelines.filters.chain import FilterChain

__all__ = ["Filter", "FilterChain"]
