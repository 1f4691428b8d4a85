"""``[frontier]``: where the job's URLs are kept, and how long a worker may hold one."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from settings.frontier_address import EMBEDDED
from settings.values import FrontierUrl, Seconds, Table


class Frontier(Table):
    """Where the job's URLs are kept, and how long a worker may hold one."""

    url: FrontierUrl = EMBEDDED
    """`"embedded"` is a file in the job's folder, for one worker. A Redis URL serves any number of
    workers: `"redis://host:6379/0"`, `"rediss://…"` with TLS, `"unix:///path"`."""
    lease: Annotated[Seconds, Field(ge=10, le=86_400)] = 300.0
    """How long a worker holds a URL without renewing its lease; then another may take it."""
    tries: Annotated[int, Field(ge=1, le=100)] = 4
    """Failed visits after which a URL is given up."""
    host_tries: Annotated[int, Field(ge=1, le=1_000)] = 10
    """Failed visits of a host in a row (5xx, 429, no answer) after which it is given up: its other
    URLs are dead as `host-down`, without another request. They count only where pauses grow with
    them, by `politeness.delay_factor`. A host that asks by Retry-After for more than
    `politeness.longest_delay`, and more than a minute, is given up at once."""
