"""What authors call their elements: the words of class, id and role, in groups of one meaning.

Groups are matched on parts of names, so that ``SiteNav`` and ``main-navigation`` both tell of
navigation; ``^`` stands for the beginning of a part, ``$`` for its end. Names are English nearly
everywhere; words of other languages stand beside them where shops and blogs use those. They are
hints for a classifier, which learns how far to trust each.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

GROUPS = {
    "comment": "comment disqus discuss respond reply replies comentar kommentar",
    "navigation": "nav menu dropdown",
    "header": "header masthead topbar",
    "hero": "banner hero jumbotron slide carousel swiper owl splide",
    "footer": "foot copyright colophon",
    "sidebar": "sidebar aside rail secondary sidenav",
    "related": "relat recommend similar popular trending latest recent upsell",
    "share": "share sharing social follow addthis",
    "crumb": "crumb",
    "byline": "byline author writer date posted publish fecha datum",
    "tags": "^tag$ ^tags$ categor topic label taxonomy",
    "popup": "cookie consent gdpr popup modal overlay",
    "sign-up": "newsletter subscri signup login register paywall account",
    "content": "content entry story body markdown prose wysiwyg",
    "article": "article articulo artikel",
    "main": "^main$ primary",
    "post": "post blog news noticia beitrag",
    "single": "single permalink detail",
    "excerpt": "excerpt teaser summary preview readmore ^more$",
    "archive": "archive listing result$ results$ feed loop stream timeline",
    "grid": "grid masonry isotope columns",
    "card": "card tile thumb",
    "list": "list item$ items$",
    "pagination": "pagin pager pagenav ^next$ ^prev older newer infinite",
    "product": "product produkt producto sku variant woocommerce shop store boutique tienda",
    "collection": "collection catalog category",
    "price": "price precio preis prix sale discount",
    "cart": "cart basket checkout buy stock quantity qty wishlist warenkorb panier carrito",
    "filter": "filter facet sort refine",
    "search": "search buscar suche",
    "rating": "review rating star",
    "testimonial": "testimonial client customer partner brand",
    "feature": "feature service solution benefit about why",
    "pricing": "pricing plan$ plans$",
    "call": "cta btn button action",
    "counter": "counter funfact stat skill progress",
    "team": "team staff member",
    "tabs": "tab accordion faq question answer toggle collaps",
    "forum": "thread message forum signature avatar reputation vote topic bbp discourse",
    "user": "user profile badge",
    "gallery": "gallery photo portfolio lightbox fancybox work$ works$ project",
    "video": "video player youtube vimeo media",
    "form": "form input field captcha",
    "contact": "contact address phone email map location",
    "code": "code highlight syntax hljs pre gutter",
    "toc": "^toc contents outline anchor headerlink scrollspy",
    "documentation": "^doc$ ^docs$ document sphinx rst reference api version admonition guide",
    "wiki": "footnote citation infobox navbox reflist hatnote mw wiki",
    "section": "section container wrap row col",
    "widget": "widget block module component elementor vc",
}  # fmt: skip
GROUP_NAMES = tuple(GROUPS)

_MAX_NAME_CHARACTERS = 300
# Between names in one text: no page has it.
_END = "\0"
# Parts of a name: runs of small letters, a capital opening a new one.
_PART = re.compile(rf"[A-Z]?[a-z]+|[A-Z]+|{_END}")
_DIGIT = re.compile(r"\d")


def groups_of(names: Iterable[str]) -> list[int]:
    """The groups that each of several attributes speaks of, bit ``i`` for ``GROUP_NAMES[i]``.

    >>> [bits] = groups_of(["SiteNav x-pagination"])
    >>> [name for bit, name in enumerate(GROUP_NAMES) if bits >> bit & 1]
    ['navigation', 'pagination']
    """
    # One search over all of them: a page has hundreds.
    joined = "".join([f"{name[:_MAX_NAME_CHARACTERS]}{_END}" for name in names])
    groups = []
    bits = 0
    for part in _PART.findall(joined):
        if part == _END:
            groups.append(bits)
            bits = 0
        else:
            bits |= _groups_of_part(part)
    return groups


def builds_of(class_names: Iterable[str]) -> list[str]:
    """The class names that entries of one list share: numbered names are left out.

    >>> builds_of(["post-17 post  type-post", "2"])
    ['post type-post', '']
    """
    builds = []
    for names in class_names:
        each = names[:_MAX_NAME_CHARACTERS].split()
        if _DIGIT.search(names):
            each = [name for name in each if not _DIGIT.search(name)]
        builds.append(" ".join(each))
    return builds


@lru_cache(maxsize=65_536)
def _groups_of_part(part: str) -> int:
    padded = f"^{part.lower()}$"
    bits = 0
    for start in range(len(padded) - 1):
        for piece, group in _by_start().get(padded[start : start + 2], ()):
            if padded.startswith(piece, start):
                bits |= group
    return bits


@cache
def _by_start() -> dict[str, list[tuple[str, int]]]:
    """The pieces with the bits of their groups, by their first two characters."""
    found: dict[str, list[tuple[str, int]]] = {}
    for group, pieces in enumerate(GROUPS.values()):
        for piece in pieces.split():
            found.setdefault(piece[:2], []).append((piece, 1 << group))
    return found
