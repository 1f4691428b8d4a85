"""Renders the HTML of a page: a layout for the main part, inside the frame of a theme.

A layout is a template in ``examples/demo/layouts`` and a function here for what a template cannot
do (lists, tables, related pages). To add one, write both and add a line to ``_LAYOUTS``.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Final, NamedTuple

from crawler.demo import fragments
from crawler.demo.origin import ORIGIN
from crawler.demo.pages import Page, PageError

_RIGHT_TO_LEFT: Final = ("ar", "he", "fa")
_HEADING: Final = re.compile(r"<h2>(.*?)</h2>")


class _Layout(NamedTuple):
    """The theme of a layout, and a function for the additional fields of its template."""

    theme: str
    fields: Callable[[Page, Sequence[Page], Mapping[str, str]], dict[str, str]]


class Layouts:
    """All templates, read once."""

    def __init__(self, source: Path, pages: Sequence[Page]) -> None:
        self._layouts = _templates(source / "layouts")
        self._themes = _templates(source / "themes")
        self._words = tomllib.loads((source / "words.toml").read_text(encoding="utf-8"))
        self._pages = pages

    def html(self, page: Page) -> str:
        """The whole page as HTML. Raises PageError."""
        layout = _LAYOUTS.get(page.layout)
        if layout is None:
            raise PageError(f"{page.path}: layout {page.layout!r} must be one of {list(_LAYOUTS)}")
        words = self._words.get(page.language)
        if words is None:
            raise PageError(f"{page.path}: words.toml has no language {page.language!r}")
        fields = {**words, **_common(page), **layout.fields(page, self._pages, words)}
        try:
            fields["main"] = self._layouts[page.layout].substitute(fields)
            fields["frame"] = self._themes[layout.theme].substitute(fields)
            fields["theme"] = layout.theme
            return self._themes["skeleton"].substitute(fields)
        except KeyError as error:
            raise PageError(f"{page.path}: a template needs the missing field {error}") from error


def _templates(folder: Path) -> dict[str, Template]:
    files = sorted(folder.glob("*.html"))
    return {file.stem: Template(file.read_text(encoding="utf-8")) for file in files}


def _common(page: Page) -> dict[str, str]:
    return {
        "path": escape(page.path),
        "canonical": ORIGIN + escape(str(page.data.get("canonical", page.path))),
        "title": escape(page.title),
        "summary": escape(page.summary),
        "author": escape(page.author),
        "author_id": fragments.slug(page.author),
        "date": page.date.isoformat(),
        "language": page.language,
        "direction": "rtl" if page.language in _RIGHT_TO_LEFT else "ltr",
        "picture": page.picture,
        "origin": ORIGIN,
        "charset": f'<meta charset="{page.encoding.meta}">' if page.encoding.meta else "",
        "head": str(page.data.get("head", "")),
        "json_ld": "",
        "body": page.html,
    }


def _json_ld(page: Page, **more: object) -> str:
    """A script element; ``<`` is escaped, so that the text cannot end it."""
    image = f"{ORIGIN}{page.picture}"
    data = {"@context": "https://schema.org", "image": image, "inLanguage": page.language, **more}
    text = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def _article(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    others = _others(page, pages)
    start = sum(other.date > page.date for other in others)
    near = (others[start:] + others[:start])[:3]
    return {
        "json_ld": _json_ld(
            page,
            **{"@type": "Article"},
            headline=page.title,
            datePublished=page.date.isoformat(),
            author={"@type": "Person", "name": page.author},
            publisher={"@type": "Organization", "name": "The Harbour Almanac"},
        ),
        "tags": "".join(f"<li>{escape(tag)}</li>" for tag in page.tags),
        "figure": fragments.figure(page),
        "related_cards": "".join(fragments.card(other, words) for other in near),
        "popular_links": fragments.links(others[-4:]),
    }


def _listing(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    tag = str(page.data.get("tag", ""))
    found = _listed(pages, "article", page.language, tag=tag)
    first, count = int(page.data.get("first", 0)), int(page.data.get("count", 10))
    return {
        "cards": "".join(fragments.card(other, words) for other in found[first : first + count]),
        "popular_links": fragments.links(found[-4:]),
        "pagination": fragments.pagination(page),
    }


def _product(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    others = _others(page, pages)
    price, currency = str(page.data["price"]), str(page.data["currency"])
    return {
        "json_ld": _json_ld(
            page,
            **{"@type": "Product"},
            name=page.title,
            sku=page.data["sku"],
            offers={"@type": "Offer", "price": price, "priceCurrency": currency},
        ),
        "price": fragments.price(page),
        "sku": escape(str(page.data["sku"])),
        "reviews": fragments.reviews(page),
        "related_cards": "".join(fragments.product_card(other, words) for other in others[:4]),
    }


def _collection(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    tag = str(page.data.get("tag", ""))
    found = _listed(pages, "product", page.language, tag=tag)
    return {
        "cards": "".join(fragments.product_card(other, words) for other in found),
        "count": str(len(found)),
    }


def _thread(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    posts = page.data["post"]
    return {
        "posts": "".join(
            fragments.post(post, number, words) for number, post in enumerate(posts, start=1)
        ),
        "replies": str(len(posts) - 1),
        "pagination": fragments.pagination(page),
    }


def _board(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    threads = [other for other in pages if other.layout == "thread" and not other.unlisted]
    return {
        "rows": "".join(fragments.thread_row(thread) for thread in threads)
        + "".join(fragments.archived_row(row) for row in page.data.get("archived", ())),
    }


def _manual(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    chapters = [other for other in pages if other.layout == "manual" and not other.unlisted]
    chapters.sort(key=lambda other: int(other.data["chapter"]))
    place = [other.path for other in chapters].index(page.path)
    headings = _HEADING.findall(page.html)
    return {
        "chapters": fragments.links(chapters, current=page.path),
        "contents": "".join(
            f'<li><a href="#{fragments.slug(heading)}">{heading}</a></li>' for heading in headings
        ),
        "body": _HEADING.sub(
            lambda found: f'<h2 id="{fragments.slug(found[1])}">{found[1]}</h2>', page.html
        ),
        "previous_link": fragments.links(chapters[max(0, place - 1) : place]),
        "next_link": fragments.links(chapters[place + 1 : place + 2]),
    }


def _landing(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    return {
        "call": escape(str(page.data["call"])),
        "features": "".join(fragments.feature(feature) for feature in page.data["feature"]),
        "plans": "".join(fragments.plan(plan) for plan in page.data.get("plan", ())),
        "quotes": fragments.reviews(page),
    }


def _gallery(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    return {"photos": "".join(fragments.photo(photo) for photo in page.data["photo"])}


def _plain(page: Page, pages: Sequence[Page], words: Mapping[str, str]) -> dict[str, str]:
    return {}


def _others(page: Page, pages: Sequence[Page]) -> list[Page]:
    """Other pages of the same kind."""
    found = _listed(pages, page.layout, page.language)
    return [other for other in found if other.path != page.path]


def _listed(pages: Sequence[Page], layout: str, language: str, *, tag: str = "") -> list[Page]:
    return [
        page
        for page in pages
        if page.layout == layout
        and page.language == language
        and not page.unlisted
        and (not tag or tag in page.tags)
    ]


_LAYOUTS: Final[dict[str, _Layout]] = {
    "article": _Layout("journal", _article),
    "bare": _Layout("nothing", _plain),
    "board": _Layout("forum", _board),
    "collection": _Layout("shop", _collection),
    "contact": _Layout("journal", _plain),
    "gallery": _Layout("journal", _gallery),
    "landing": _Layout("landing", _landing),
    "listing": _Layout("journal", _listing),
    "manual": _Layout("manual", _manual),
    "plain": _Layout("journal", _plain),
    "product": _Layout("shop", _product),
    "thread": _Layout("forum", _thread),
}
