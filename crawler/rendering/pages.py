"""The page that the pipeline gets, from an answer and from what the browser made of it."""

from __future__ import annotations

from datetime import UTC, datetime

from scrapy.http import Response
from w3lib.encoding import http_content_type_encoding

from crawler.frontier.base import Lease
from crawler.items import Page, Timings
from crawler.rendering.drawing import Drawn


def page_of(
    response: Response,
    lease: Lease,
    drawn: Drawn | None = None,
    *,
    fetched_at: datetime | None = None,
) -> Page:
    """The page of a lease. ``response`` is the answer as it was served, decompressed.

    drawn: what ``draw`` made of it. fetched_at: by default now.
    """
    kind = response.headers.get(b"Content-Type") or b""
    return Page(
        lease=lease,
        url=response.url,
        status=response.status,
        headers=header_pairs(response),
        html=response.body,
        fetched_at=fetched_at or datetime.now(UTC),
        redirects=tuple(response.meta.get("redirect_urls", ())),
        charset=http_content_type_encoding(kind.decode("latin-1")),
        rendered_html=drawn.html if drawn else None,
        screenshot=drawn.screenshot if drawn else None,
        timings=Timings(
            download=response.meta.get("download_latency", 0.0),
            render=drawn.seconds if drawn else 0.0,
            screenshot=drawn.screenshot_seconds if drawn else 0.0,
        ),
    )


def header_pairs(response: Response) -> tuple[tuple[str, str], ...]:
    """The headers as a Page has them: names in lower case, values decoded as Latin-1."""
    return tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
