"""The content of the site, by path: pages, style sheets, pictures, feeds, files.

It is built once, for any host: absolute URLs begin with the placeholder ``ORIGIN``, which the
server replaces by the requested host.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from crawler.demo.feeds import feeds
from crawler.demo.files import FILES
from crawler.demo.layouts import Layouts
from crawler.demo.origin import ORIGIN
from crawler.demo.pages import Page, PageError, read_pages
from crawler.demo.pictures import picture

SOURCE: Final = Path(__file__).resolve().parents[2] / "examples" / "demo"

NOT_FOUND: Final = Page(
    path="/404",
    layout="plain",
    title="Page not found",
    summary="Nothing is moored here.",
    unlisted=True,
    html='<p>The page may have sailed. Try <a href="/">the front page</a>.</p>',
)
_STATIC_TYPES: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}


@dataclass(frozen=True, kw_only=True)
class Resource:
    """The content at a path, before ORIGIN is replaced."""

    body: bytes
    content_type: str
    gzipped: bool = False

    def at(self, origin: str) -> bytes:
        """The body as served from ``origin``, such as ``http://127.0.0.1:8000``."""
        body = self.body.replace(ORIGIN.encode(), origin.encode())
        return gzip.compress(body, mtime=0) if self.gzipped else body


class Site:
    """The demo site, read from a folder such as ``examples/demo``. Raises PageError."""

    def __init__(self, source: Path = SOURCE, *, crawl_delay: float = 0.1) -> None:
        written = {page.path: page for page in read_pages(source / "pages")}
        self.pages: Mapping[str, Page] = {
            path: _copied(page, written) for path, page in written.items()
        }
        self.layouts = Layouts(source, tuple(self.pages.values()))
        self._resources = {path: self._page(page) for path, page in self.pages.items()}
        for file in sorted((source / "themes").iterdir()):
            kind = _STATIC_TYPES.get(file.suffix)
            if kind:
                name = f"/static/{file.name}"
                self._resources[name] = Resource(body=file.read_bytes(), content_type=kind)
        for path, (kind, text) in feeds(self.pages.values(), crawl_delay).items():
            self._resources[path] = Resource(
                body=text.encode(), content_type=kind, gzipped=path.endswith(".gz")
            )
        for path, (kind, body) in FILES.items():
            self._resources[path] = Resource(body=body, content_type=kind)

        self.missing = self._page(NOT_FOUND)

    def resource(self, target: str) -> Resource | None:
        """The resource for a request's target; unknown queries are ignored."""
        parts = urlsplit(target)
        drawn = None
        if parts.path.startswith("/pictures/"):
            drawn = picture(unquote(parts.path).removeprefix("/pictures/"))
        if drawn:
            return Resource(body=drawn[1], content_type=drawn[0])
        known = self._resources.get(f"{parts.path}?{parts.query}")
        return known or self._resources.get(parts.path)

    def moved(self, target: str) -> str | None:
        """The path with the missing trailing slash of a folder; None if there is no such folder."""
        path = f"{urlsplit(target).path}/"
        return path if path in self._resources else None

    def _page(self, page: Page) -> Resource:
        charset = f"; charset={page.encoding.header}" if page.encoding.header else ""
        html = self.layouts.html(page)
        return Resource(
            body=html.encode(page.encoding.written, errors="xmlcharrefreplace"),
            content_type=f"text/html{charset}",
        )


def _copied(page: Page, pages: Mapping[str, Page]) -> Page:
    """A page with ``copy_of`` has the text of another page at its own path."""
    name = page.data.get("copy_of")
    if name is None:
        return page
    if name not in pages:
        raise PageError(f"{page.path}: copy_of = {name!r} must be the path of another page")
    return replace(
        pages[name], path=page.path, unlisted=True, data={**pages[name].data, **page.data}
    )
