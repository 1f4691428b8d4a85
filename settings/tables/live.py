"""``[live]``: the page on which people watch and steer the crawl, and its metrics."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from settings.values import IpAddress, Table, Token


class Live(Table):
    """The page on which people watch and steer the crawl, and its metrics for Prometheus. Its
    address is in the log.
    """

    enabled: bool = True
    """Serve the page. Nothing is loaded for it before the first visitor comes."""
    address: IpAddress = "127.0.0.1"
    """Where it listens: by default only this machine reaches it; `"0.0.0.0"` and `"::"` are all
    addresses of the machine."""
    port: Annotated[int, Field(ge=1, le=65_535)] = 8750
    """The port. If it is taken, for example by another worker, the first that is free of the nine
    after it, or any."""
    token: Token = None
    """What everybody has to know who opens the page: the first part of its path, or the bearer
    token of a program. If it is not set, everybody on this machine is let in; if others reach the
    `address`, too, one is made at every start. `GENRE_CRAWLER_LIVE_TOKEN` in the environment
    overrides it."""
