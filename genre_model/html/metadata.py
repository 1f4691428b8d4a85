"""Features of a page's metadata: Open Graph, its generator, the class of its body.

Many stored pages have been stripped of metadata, so the classifier must not depend on it: in
training, half of the pages are used without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from genre_model.html.page import Page

PREFIX = "meta."

_GENERATORS = {
    "wordpress": "wordpress|elementor|woocommerce",
    "blog": "hugo|jekyll|hexo|ghost|blogger|gatsby|pelican|typecho|gridea",
    "documentation": "sphinx|mkdocs|docusaurus|gitbook|doxygen|mdbook|docutils|vuepress|javadoc",
    "shop": "shopify|prestashop|magento|opencart|bigcommerce",
    "builder": "wix|squarespace|webflow|weebly|mobirise|framer",
    "forum": "discourse|vbulletin|phpbb|xenforo|flarum|mybb|smf|discuz",
    "wiki": "mediawiki|dokuwiki",
}
_BODY = {
    "single": r"\bsingle\b|single-post|postid|post-template|permalink|article",
    "archive": r"archive|\bblog\b|category|\btag\b|\bauthor\b|\bdate\b|search|listing|index",
    "home": r"\bhome\b|homepage|front",
    "page": r"page-template|page-id|\bpage\b",
    "product": r"single-product|product-template|template-product|product",
    "collection": r"collection|post-type-archive-product|tax-product|catalog|woocommerce-shop",
    "documentation": r"\bdocs?\b|wy-|sphinx|mediawiki",
    "forum": r"forum|topic|thread|question",
}


def metadata_features(page: Page) -> dict[str, float]:
    """Whether, or how often, the page has each kind of metadata."""
    head = _head(page)
    og_type = head.get("og:type", "")
    body = _body_class(page)
    features = {
        "og-article": float(og_type.startswith(("article", "blog"))),
        "og-website": float(og_type == "website"),
        "og-product": float("product" in og_type),
        "og-other": float(bool(og_type) and og_type not in ("website", "article")),
        "published": float("article:published_time" in head or "citation_date" in head),
        "author": float("author" in head or "article:author" in head),
        "product-price": float("product:price:amount" in head or "og:price:amount" in head),
        "description": float(len(head.get("description", ""))),
        "picture": float("og:image" in head or "twitter:image" in head),
        "next": float("rel:next" in head),
        "previous": float("rel:prev" in head),
        "feeds": float(len(head.get("rel:alternate", ""))),
        "statements": float(len(head)),
        **_flags("generator", _GENERATORS, head.get("generator", "")),
        **_flags("body", _BODY, body),
    }
    return {PREFIX + name: value for name, value in features.items()}


def _flags(name: str, patterns: Mapping[str, str], text: str) -> dict[str, float]:
    return {
        f"{name}-{kind}": float(bool(text) and re.search(pattern, text) is not None)
        for kind, pattern in patterns.items()
    }


def _head(page: Page) -> dict[str, str]:
    """The values of ``<meta>`` by name, and of ``<link>`` by ``rel:`` and link type."""
    dom = page.dom
    found: dict[str, str] = {}
    for node in [*page.elements("meta").tolist(), *page.elements("link").tolist()]:
        attributes = dom.attributes[node]
        if dom.tags[node] == "meta":
            name = attributes.get("property") or attributes.get("name")
            if name:
                found.setdefault(name.lower(), (attributes.get("content") or "").lower())
        elif relation := attributes.get("rel"):
            name = f"rel:{relation.lower()}"
            if name != "rel:alternate" or "xml" in (attributes.get("type") or ""):
                found[name] = found.get(name, "") + "."
    return found


def _body_class(page: Page) -> str:
    bodies = page.elements("body")[:1].tolist()
    return (page.dom.attributes[bodies[0]].get("class") or "").lower() if bodies else ""
