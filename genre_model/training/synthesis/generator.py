"""Generates a page from a random source: its HTML, page type and genre."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from genre_model.training.synthesis import frame
from genre_model.training.synthesis.article import article_page
from genre_model.training.synthesis.documentation import documentation_page
from genre_model.training.synthesis.draft import Draft
from genre_model.training.synthesis.forum import forum_page
from genre_model.training.synthesis.kits import CODE_SHEETS, OWN, random_kit
from genre_model.training.synthesis.landing import service_page
from genre_model.training.synthesis.listing import listing_page
from genre_model.training.synthesis.media import media_page
from genre_model.training.synthesis.other import legal_page, other_page
from genre_model.training.synthesis.shop import collection_page, product_page
from genre_model.training.synthesis.stylesheet import layout_css, skin_css, tweak_css
from genre_model.training.synthesis.text import Text, random_language
from genre_model.training.synthesis.theme import random_theme


@dataclass(frozen=True)
class Maker:
    """Makes the bodies of one kind of page; also its share of all pages."""

    name: str
    page_type: str
    genre: str | None
    share: float
    body: Callable[[Draft], str]


MAKERS: tuple[Maker, ...] = (
    Maker("article", "article", "article", 0.30, article_page),
    Maker("listing", "listing", "list-view", 0.25, listing_page),
    Maker("service", "service", None, 0.13, service_page),
    Maker("collection", "collection", "list-view", 0.07, collection_page),
    Maker("documentation", "documentation", "article", 0.07, documentation_page),
    Maker("product", "product", None, 0.05, product_page),
    Maker("forum", "forum", "list-view", 0.04, forum_page),
    Maker("media", "media", None, 0.03, media_page),
    Maker("other", "other", None, 0.05, other_page),
    Maker("legal", "other", "article", 0.01, legal_page),
)


@dataclass(frozen=True)
class Page:
    """A synthetic page. genre: None if neither fits. style: the kit."""

    html: str
    page_type: str
    genre: str | None
    lang: str
    style: str


def page(rng: Random, *, packages: Path, pictures: Path, maker: Maker | None = None) -> Page:
    """A random page by `maker`, or by a random one.

    `packages` contains node_modules with the CSS frameworks, `pictures` what `make_pictures` wrote;
    the page refers to both by file URLs. The same state of `rng` gives the same page.
    """
    made = maker or rng.choices(MAKERS, [each.share for each in MAKERS])[0]
    text = Text(rng, random_language(rng))
    theme, kit = random_theme(rng), random_kit(rng)
    d = Draft(rng, text, theme, kit, pictures.resolve().as_uri(), text.site())
    body = made.body(d)
    if kit is OWN:
        skin, links = skin_css(theme, rng), ""
    else:
        modules = (packages / "node_modules").resolve().as_uri()
        sheets = [rng.choice(kit.sheets), rng.choice(CODE_SHEETS)]
        links = "".join(f'<link rel="stylesheet" href="{modules}/{sheet}">' for sheet in sheets)
        skin = tweak_css(theme, rng)
    direction = "rtl" if text.rtl else "ltr"
    html = (
        f'<!DOCTYPE html><html lang="{text.lang}" dir="{direction}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{d.site}</title>{links}'
        f"<style>{layout_css(theme)}{skin}</style></head><body>{frame.header(d)}{body}"
        f"{frame.footer(d)}{frame.overlays(d)}</body></html>"
    )
    return Page(html, made.page_type, made.genre, text.lang, kit.name)
