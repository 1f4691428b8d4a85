"""Groups of words in class and id that indicate a page's genre.

Nearly all sites use English names; words of other languages are included if shops and blogs use
them.
"""

from __future__ import annotations

from corpus_commons.markup.naming import NameGroups

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
NAMES = NameGroups(GROUPS)
GROUP_NAMES = NAMES.names
