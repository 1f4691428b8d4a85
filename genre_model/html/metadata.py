"""Features of a page's metadata: Open Graph, its generator, the class of its body.

Many stored pages have been stripped of metadata, so the classifier must not depend on it: in
training, half of the pages are used without it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from genre_model.html.batch import Batch, Columns
from genre_model.html.head import Head

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


def metadata_features(batch: Batch) -> Columns:
    """Whether, or how often, every page has each kind of metadata."""
    pages = [_of_page(head) for head in batch.heads]
    return {PREFIX + name: np.array([page[name] for page in pages]) for name in pages[0]}


def _of_page(head: Head) -> dict[str, float]:
    found = head.statements
    og_type = found.get("og:type", "")
    return {
        "og-article": float(og_type.startswith(("article", "blog"))),
        "og-website": float(og_type == "website"),
        "og-product": float("product" in og_type),
        "og-other": float(bool(og_type) and og_type not in ("website", "article")),
        "published": float("article:published_time" in found or "citation_date" in found),
        "author": float("author" in found or "article:author" in found),
        "product-price": float("product:price:amount" in found or "og:price:amount" in found),
        "description": float(len(found.get("description", ""))),
        "picture": float("og:image" in found or "twitter:image" in found),
        "next": float("rel:next" in found),
        "previous": float("rel:prev" in found),
        "feeds": float(len(found.get("rel:alternate", ""))),
        "statements": float(len(found)),
        **_flags("generator", _GENERATORS, found.get("generator", "")),
        **_flags("body", _BODY, head.body),
    }


def _flags(name: str, patterns: Mapping[str, str], text: str) -> dict[str, float]:
    return {
        f"{name}-{kind}": float(bool(text) and re.search(pattern, text) is not None)
        for kind, pattern in patterns.items()
    }
