"""Document filters: each one keeps a document or says why not."""

from __future__ import annotations

from pipelines.filters.base import Filter
from pipelines.filters.chain import FilterChain

__all__ = ["Filter", "FilterChain"]
