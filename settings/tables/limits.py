"""``[limits]``: when the crawl has enough."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from settings.values import Bytes, BytesLimit, CountLimit, Kind, Seconds, SecondsLimit, Table


class Limits(Table):
    """When the crawl, or one fetch, has enough. The first limit that is reached ends the crawl."""

    pages: CountLimit = 10_000
    """Pages that are fetched, in all: documents and rejects, not what redirects, cannot be found,
    or only lists pages, as sitemaps do. The default ends a first try by itself."""
    pages_per_host: CountLimit = None
    """Pages that are fetched from one host, counted likewise."""
    total_size: BytesLimit = None
    """Bytes that are received, in all, after decompression. What is being fetched when they are
    reached comes on top."""
    total_time: SecondsLimit = None
    """How long one run of one worker may take; the next run begins anew."""
    page_size: Annotated[Bytes, Field(ge=1_000, le=10**9)] = 10_000_000
    """The largest page, after decompression; a larger one is a reject."""
    page_time: Annotated[Seconds, Field(gt=0, le=3600)] = 30.0
    """How long one fetch may take, to the last byte. Drawing the page may take `rendering.timeout`,
    and reading it 30 seconds."""
    processes: Annotated[
        Annotated[int, Field(ge=1, le=1_000)] | None,
        Kind("whole number", "a whole number such as 4"),
    ] = None
    """Processes of one worker that read pages, with 140 MB each; if not set, one for each core that
    the worker may use, the quota of its container counted."""
