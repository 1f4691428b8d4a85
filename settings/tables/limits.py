"""``[limits]``: when the crawl has enough."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from settings.values import Bytes, BytesLimit, CountLimit, Kind, Seconds, SecondsLimit, Table


class Limits(Table):
    """When the crawl, or a single fetch, ends: the crawl at the first of its limits."""

    pages: CountLimit = 10_000
    """Pages fetched in all: documents and rejects, but not redirects, missing pages, or lists of
    pages such as sitemaps. With the default, a first try ends by itself."""
    pages_per_host: CountLimit = None
    """Pages fetched from one host, counted in the same way."""
    total_size: BytesLimit = None
    """Bytes received in all, after decompression. Fetches under way when the limit is reached come
    on top."""
    total_time: SecondsLimit = None
    """How long one run of one worker may take; the next run starts from zero."""
    page_size: Annotated[Bytes, Field(ge=1_000, le=10**9)] = 10_000_000
    """The largest page, after decompression; larger ones are rejected."""
    page_time: Annotated[Seconds, Field(gt=0, le=3600)] = 30.0
    """How long one fetch may take, to the last byte. Rendering the page may take
    `rendering.timeout`, and reading it 30 seconds."""
    processes: Annotated[
        Annotated[int, Field(ge=1, le=1_000)] | None,
        Kind("whole number", "a whole number such as 4"),
    ] = None
    """How many processes of one worker read pages. They take 190 MB, and 45 MB each. If not set,
    there is one for each core that the worker may use, within the quota of its container."""
