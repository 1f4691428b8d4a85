"""The content of the site, by path: pages, style sheets, pictures, feeds, files.

It is built once, for any host: absolute URLs begin with the placeholder ``ORIGIN``, which the
server replaces by the requested host. The templates are ``layouts`` (a kind of page each), which
extend ``themes``, ``feeds`` and ``pictures``.
"""

from __future__ import annotations

import calendar
import datetime
import gzip
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from jinja2 import Environment, TemplateError
from markupsafe import Markup

from corpus_commons.templates import templates_in
from crawler.demo.pages import Page, PageError, markdown, read_pages
from crawler.demo.pictures import draw_picture

SOURCE: Final = Path(__file__).resolve().parents[2] / "examples" / "demo"
ORIGIN: Final = "http://demo.invalid"

NOT_FOUND: Final = Page(
    path="/404",
    layout="plain",
    title="Page not found",
    summary="Nothing is moored here.",
    unlisted=True,
    html=Markup('<p>The page may have sailed. Try <a href="/">the front page</a>.</p>'),
)
_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".gz": "application/gzip",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".xml": "application/xml; charset=utf-8",
}
_HEADING: Final = re.compile(r"<h2>(.*?)</h2>")
_MONTH: Final = re.compile(r"/calendar/([1-9]\d{3})/(0[1-9]|1[0-2])")


@dataclass(frozen=True, kw_only=True)
class Resource:
    """The content at a path, before ORIGIN is replaced."""

    body: bytes
    content_type: str

    def at(self, origin: str) -> bytes:
        """The body as served from ``origin``, such as ``http://127.0.0.1:8000``."""
        body = self.body.replace(ORIGIN.encode(), origin.encode())
        return gzip.compress(body, mtime=0) if self.content_type == _TYPES[".gz"] else body


class Site:
    """The demo site, read from a folder such as ``examples/demo``. Raises PageError."""

    def __init__(self, source: Path = SOURCE, *, crawl_delay: float = 0.1) -> None:
        written = {page.path: page for page in read_pages(source / "pages")}
        self.pages: Mapping[str, Page] = {
            path: _copied(page, written) for path, page in written.items()
        }
        self._words = tomllib.loads((source / "words.toml").read_text(encoding="utf-8"))
        self._templates = _templates(source)
        self._templates.globals |= {
            "crawl_delay": crawl_delay,
            "listed": self._listed,
            "macros": self._templates.get_template("macros.html").module,
            "origin": ORIGIN,
        }
        self._resources = {path: self._page(page) for path, page in self.pages.items()}
        for file in sorted((source / "feeds").iterdir()):
            text = self._templates.get_template(f"feeds/{file.name}").render()
            kind = "application/rss+xml; charset=utf-8" if file.stem == "feed" else ""
            self._add(f"/{file.name}", text.encode(), kind or _TYPES[file.suffix])
        for file in sorted((source / "static").iterdir()):
            self._add(f"/static/{file.name}", file.read_bytes(), _TYPES[file.suffix])
        for file in sorted((source / "files").iterdir()):
            self._add(f"/files/{file.name}", file.read_bytes(), "application/pdf")
        self.missing = self._page(NOT_FOUND)
        self._picture = lru_cache(maxsize=256)(self._drawn)

    def resource(self, target: str) -> Resource | None:
        """The resource for a request's target; unknown queries are ignored."""
        parts = urlsplit(target)
        if month := _MONTH.fullmatch(parts.path):
            return self._page(_month_page(int(month[1]), int(month[2])))
        known = self._resources.get(f"{parts.path}?{parts.query}")
        return known or self._resources.get(parts.path) or self._picture(unquote(parts.path))

    def moved(self, target: str) -> str | None:
        """The path with the missing trailing slash of a folder; None if there is no such folder."""
        path = f"{urlsplit(target).path}/"
        return path if path in self._resources else None

    def _add(self, path: str, body: bytes, content_type: str) -> None:
        self._resources[path] = Resource(body=body, content_type=content_type)

    def _page(self, page: Page) -> Resource:
        try:
            words = self._words[page.language]
            template = self._templates.get_template(f"layouts/{page.layout}.html")
            html = template.render(page=page, words=words)
        except (KeyError, TemplateError) as error:
            raise PageError(f"{page.path}: {error!r}") from error
        charset = f"; charset={page.encoding.header}" if page.encoding.header else ""
        return Resource(
            body=html.encode(page.encoding.written, errors="xmlcharrefreplace"),
            content_type=f"text/html{charset}",
        )

    def _drawn(self, path: str) -> Resource | None:
        drawn = draw_picture(path.removeprefix("/pictures/"), self._templates)
        return drawn and Resource(body=drawn[1], content_type=drawn[0])

    def _listed(self, layout: str = "", language: str = "", tag: str = "") -> list[Page]:
        """The listed pages, newest first; of one layout, one language, with one tag."""
        return [
            page
            for page in self.pages.values()
            if not page.unlisted
            and layout in ("", page.layout)
            and language in ("", page.language)
            and (not tag or tag in page.tags)
        ]


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


def _templates(source: Path) -> Environment:
    templates = templates_in(source)
    # As it is, so that a wrongly declared encoding also shows here.
    templates.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    templates.filters |= {
        "headings": _HEADING.findall,
        "markdown": markdown,
        "slug": _slug,
        "with_anchors": _with_anchors,
    }
    return templates


def _with_anchors(html: str) -> Markup:
    """HTML whose headings have identifiers, for a table of contents."""
    return Markup(  # noqa: S704 - no new text
        _HEADING.sub(lambda found: f'<h2 id="{_slug(found[1])}">{found[1]}</h2>', html)
    )


def _slug(text: str) -> str:
    """Text as an identifier."""
    bare = re.sub(r"<[^>]*>", "", text).lower()
    return re.sub(r"\W+", "-", bare).strip("-") or "nobody"


def _month_page(year: int, month: int) -> Page:
    """A typical crawler trap: the page of each month links to the next month, without end."""

    def shifted(months: int) -> datetime.date:
        """The first of the month ``months`` later; wraps around within four-digit years."""
        count = (year - 1000) * 12 + month - 1 + months
        return datetime.date(1000 + count // 12 % 9000, count % 12 + 1, 1)

    name = f"{calendar.month_name[month]} {year}"
    return Page(
        path=f"/calendar/{year}/{month:02}",
        layout="month",
        title=f"Harbour calendar: {name}",
        summary=f"What happens at the quay in {name}.",
        unlisted=True,
        data={
            "links": (
                ("Previous month", shifted(-1)),
                ("Next month", shifted(1)),
                ("Next year", shifted(12)),
            ),
            "days": tuple(calendar.day_abbr),
            "weeks": calendar.monthcalendar(year, month),
        },
    )
