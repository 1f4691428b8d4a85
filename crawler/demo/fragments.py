"""Fragments of HTML that layouts share: cards, rows, posts, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from crawler.demo.pages import Page, markdown

_SIGNS: Final = {"EUR": "€", "GBP": "£"}


def slug(text: str) -> str:
    """Text as an identifier.

    >>> slug("Reading a <em>tide</em> table")
    'reading-a-tide-table'
    """
    bare = re.sub(r"<[^>]*>", "", text).lower()
    return re.sub(r"\W+", "-", bare).strip("-") or "nobody"


def links(pages: Iterable[Page], current: str = "") -> str:
    """List items with links to pages; the current page is marked."""
    marks = {True: ' aria-current="page"', False: ""}
    return "".join(
        f'<li><a href="{escape(page.path)}"{marks[page.path == current]}>'
        f"{escape(page.title)}</a></li>"
        for page in pages
    )


def card(page: Page, words: Mapping[str, str]) -> str:
    """An article in a list: picture, title, summary."""
    path = escape(page.path)
    picture = page.picture or "/pictures/hills-plain.svg"
    return (
        f'<article class="card"><a class="card-picture" href="{path}">'
        f'<img src="{picture}" alt="" loading="lazy" width="960" height="540"></a>'
        f'<div class="card-text"><h3><a href="{path}">{escape(page.title)}</a></h3>'
        f"<p>{escape(page.summary)}</p>"
        f'<p class="byline"><span>{escape(page.author)}</span> '
        f'<time datetime="{page.date}">{page.date}</time> '
        f'<a class="more" href="{path}">{words["read_more"]}</a></p></div></article>'
    )


def figure(page: Page) -> str:
    if not page.picture:
        return ""
    caption = escape(str(page.data.get("caption", "")))
    return (
        f'<figure class="lead"><img src="{page.picture}" alt="{caption}" width="960" height="540">'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def price(page: Page) -> str:
    """The price of a product, such as ``€38.00``."""
    currency = str(page.data["currency"])
    return f"{_SIGNS.get(currency, currency)}{page.data['price']}"


def product_card(page: Page, words: Mapping[str, str]) -> str:
    path = escape(page.path)
    return (
        f'<li class="product-card"><a href="{path}">'
        f'<img src="{page.picture}" alt="" width="960" height="540">'
        f'<span class="name">{escape(page.title)}</span></a>'
        f'<span class="pitch">{escape(page.summary)}</span>'
        f'<span class="price">{price(page)}</span>'
        f'<button type="button">{words["add_to_basket"]}</button></li>'
    )


def reviews(page: Page) -> str:
    return "".join(
        f'<blockquote class="review"><p>{escape(review["text"])}</p>'
        f"<footer>{escape(review['author'])}</footer></blockquote>"
        for review in page.data.get("review", ())
    )


def post(post: Mapping[str, Any], number: int, words: Mapping[str, str]) -> str:
    """One post of a thread: its author's panel and its text."""
    author = escape(str(post["author"]))
    return (
        f'<article class="post" id="post-{number}"><div class="author">'
        f'<img src="/pictures/portrait-{slug(str(post["author"]))}.svg" alt="" width="64" '
        f'height="64"><strong>{author}</strong><span>{words["member"]}</span></div>'
        f'<div class="said"><p class="meta"><time>{escape(str(post["date"]))}</time> '
        f'<a href="#post-{number}">#{number}</a></p>'
        f'<div class="text">{markdown(str(post["text"]))}</div>'
        f'<p class="actions"><button type="button">{words["like"]}</button> '
        f'<button type="button">{words["quote"]}</button> '
        f'<button type="button">{words["report"]}</button></p></div></article>'
    )


def thread_row(page: Page) -> str:
    posts = page.data["post"]
    return (
        f'<tr><td class="topic"><a href="{escape(page.path)}">{escape(page.title)}</a>'
        f"<small>{escape(page.summary)}</small></td><td>{escape(str(posts[0]['author']))}</td>"
        f'<td class="number">{len(posts) - 1}</td><td class="number">{len(posts) * 37}</td>'
        f"<td>{page.date}</td></tr>"
    )


def archived_row(row: Mapping[str, Any]) -> str:
    """The row of an archived thread, without a link."""
    return (
        f'<tr class="archived"><td class="topic"><span>{escape(row["title"])}</span>'
        f"<small>{escape(row['summary'])}</small></td><td>{escape(row['author'])}</td>"
        f'<td class="number">{row["replies"]}</td><td class="number">{row["replies"] * 41}</td>'
        f"<td>{row['date']}</td></tr>"
    )


def pagination(page: Page) -> str:
    """Links to the pages in the source's ``[pagination]``."""
    entries = "".join(
        f'<a href="{escape(path)}">{escape(label)}</a>'
        for label, path in page.data.get("pagination", {}).items()
    )
    return f'<nav class="pagination">{entries}</nav>' if entries else ""


def feature(feature: Mapping[str, Any]) -> str:
    return (
        f'<section class="feature"><img src="{feature["picture"]}" alt="" width="960" '
        f'height="540"><h3>{escape(feature["title"])}</h3><p>{escape(feature["text"])}</p></section>'
    )


def plan(plan: Mapping[str, Any]) -> str:
    points = "".join(f"<li>{escape(point)}</li>" for point in plan["points"])
    return (
        f'<section class="plan"><h3>{escape(plan["name"])}</h3>'
        f'<p class="price">{escape(plan["price"])}</p><ul>{points}</ul>'
        f'<a class="button" href="/contact">{escape(plan["call"])}</a></section>'
    )


def photo(photo: Mapping[str, Any]) -> str:
    caption = escape(photo["caption"])
    return (
        f'<figure><img src="{photo["picture"]}" alt="{caption}" width="400" '
        f'height="260"><figcaption>{caption}</figcaption></figure>'
    )
