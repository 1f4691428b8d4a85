"""The label of a page from what its generator left: classes, metadata, and where its file lies.

These are rules for sites whose structure says what a page is: exports of WordPress, blogs of Hexo,
Hugo and Jekyll, manuals of Sphinx, MkDocs and their like, packs of templates. Where no rule fits,
there is no label. By eye, two to five labels in a hundred are wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from selectolax.lexbor import LexborHTMLParser

_LEAST_WORDS: Final = 40
_LEAST_ARTICLE_WORDS: Final = 120
_LEAST_DOCUMENTATION_WORDS: Final = 90
_LEAST_POSTS: Final = 4


@dataclass(frozen=True, slots=True)
class Label:
    """page_type: of `corpus_commons.kinds.PAGE_TYPES`. genre: the paper's, None if neither fits.

    rule: what gave the label.
    """

    page_type: str
    genre: str | None
    rule: str


_GENRES: Final[Mapping[str, str]] = {
    "article": "article",
    "listing": "list-view",
    "collection": "list-view",
    "forum": "list-view",
}

# The first line whose classes of WordPress's and its plugins' body include one of these decides.
_WORDPRESS: Final = (
    ("product", {"single-product"}),
    ("collection", {"post-type-archive-product", "tax-product_cat", "tax-product_tag"}),
    ("forum", {"single-topic", "single-forum", "forum-archive", "bbpress"}),
    ("article", {"single-post"}),
    ("other", {"woocommerce-cart", "woocommerce-checkout", "woocommerce-account", "error404"}),
    ("listing", {"archive", "category", "tag", "author", "date"}),
)

# By the name of the page's file, or of its folder for an index, without a number at its end.
_STEMS: Final[Mapping[str, str]] = {
    stem: page_type
    for page_type, stems in {
        "article": """article blog-detail blog-details blog-inner blog-post blog-single
            blog-singlepost news-detail news-details news-single post post-detail post-details
            single single-blog single-news single-post""",
        "listing": """archive archives blog blog-classic blog-grid blog-list blog-sidebar blogs
            category-posts news news-list""",
        "collection": """catalog categories category collection collections product-grid
            product-list products shop shop-category shop-grid shop-left-sidebar shop-list
            shop-sidebar store""",
        "product": """detail item product product-detail product-details product-page product-single
            shop-detail shop-details shop-single single-product""",
        "media": """galleries gallery photo-gallery photos portfolio portfolio-grid
            portfolio-masonry video videos works""",
        "forum": "forum forumdisplay forums showthread thread topic viewforum viewtopic",
        "other": """404 about about-us aboutus career careers cart checkout contact contact-us
            contacts contactus faq faqs log-in login price pricing privacy privacy-policy register
            service services sign-in sign-up signin signup team terms testimonial testimonials""",
    }.items()
    for stem in stems.split()
}
_HOMES = frozenset({"home", "index", "landing"})
_NUMBERED = re.compile(r"[-_]?\d+$")

_LISTS = re.compile(
    r"(?:^|/)(?:page/?\d+|(?:tags?|categor(?:y|ies)|topics|archives?|authors?|series)/.+"
    r"|archives?)/index\.html$"
)
_DATED = re.compile(r"(?:^|/)(?:19|20)\d\d/[01]\d/(?:[0-3]\d/)?[^/]+(?:\.html|/index\.html)$")
_POSTS = re.compile(
    r"(?:^|/)(?:_?posts?|blog|articles?|news|p|writing|essays|notes)/[^/]+(?:\.html|/index\.html)$"
)
_FORUM = re.compile(r"(?:^|/)(?:forums?|discuss|viewtopic|viewforum|showthread|topic)[-/.\d]")
# Pages of manuals that are no text.
_INDEXES = frozenset({"genindex", "search", "py-modindex", "modindex", "print", "404"})


def label_of(path: str, html: str) -> Label | None:
    """The label of the page at a path below its site's root; None if no rule fits."""
    tree = LexborHTMLParser(html)
    body = tree.body
    if body is None:
        return None
    words = len(body.text(separator=" ").split())
    if words < _LEAST_WORDS:
        return None
    found = (
        _by_wordpress(tree)
        or _by_manual(tree, path, words)
        or _by_path(tree, path, words)
        or _by_stem(path)
    )
    if found is None or (found.page_type == "article" and words < _LEAST_ARTICLE_WORDS):
        return None
    return found


def _label(page_type: str, rule: str) -> Label:
    return Label(page_type, _GENRES.get(page_type), rule)


def _by_wordpress(tree: LexborHTMLParser) -> Label | None:
    classes = set(_attribute(tree, "body", "class").split())
    for page_type, marks in _WORDPRESS:
        if not classes.isdisjoint(marks):
            return _label(page_type, "wordpress")
    if "home" in classes:
        return _home(tree) if "blog" in classes else _label("service", "wordpress")
    return _label("listing", "wordpress") if {"blog", "hfeed"} <= classes else None


def _by_manual(tree: LexborHTMLParser, path: str, words: int) -> Label | None:
    generator = _attribute(tree, 'meta[name="generator"]', "content").lower()
    names = ("mkdocs", "docusaurus", "doxygen", "gitbook", "mdbook", "vuepress", "sphinx")
    found = next((name for name in names if name in generator), None)
    marks = {
        "sphinx": "script#documentation_options, div.sphinxsidebar, .wy-nav-content",
        "mdbook": "nav#sidebar .chapter",
        "gitbook": ".book-summary",
    }
    found = found or next((name for name, mark in marks.items() if tree.css_first(mark)), None)
    if found is None or PurePosixPath(path).stem in _INDEXES or words < _LEAST_DOCUMENTATION_WORDS:
        return None
    is_front = path == "index.html"
    return Label("documentation", None if is_front else "article", found)


def _by_path(tree: LexborHTMLParser, path: str, words: int) -> Label | None:
    if path == "index.html":
        return _home(tree)
    if _FORUM.search(path):
        return _label("forum", "path of a forum")
    if _LISTS.search(path):
        return _label("listing", "path of a list")
    if _DATED.search(path):
        return _label("article", "dated path")
    is_article = _attribute(tree, 'meta[property="og:type"]', "content") == "article"
    is_post = is_article or tree.css_first("article time, article .post-meta, .post-date")
    if _POSTS.search(path) and is_post and words >= _LEAST_ARTICLE_WORDS:
        return _label("article", "folder of posts")
    return None


def _by_stem(path: str) -> Label | None:
    place = PurePosixPath(path)
    if place.name == "index.html":
        place = place.parent
    stem = _NUMBERED.sub("", place.name.partition(".")[0].lower().replace("_", "-"))
    if stem in _HOMES:
        return _label("service", f"file {stem}")
    page_type = _STEMS.get(stem)
    return _label(page_type, f"file {stem}") if page_type else None


def _home(tree: LexborHTMLParser) -> Label:
    """A front page: of a blog, if it has posts one below another; else it is a landing page."""
    posts = tree.css("article, .post, .post-item, .post-preview, .post-card, .hentry")
    if len([post for post in posts if post.css_first("h1 a, h2 a, h3 a")]) >= _LEAST_POSTS:
        return _label("listing", "front page of posts")
    return _label("service", "front page")


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str:
    node = tree.css_first(selector)
    return (node.attributes.get(name) or "") if node is not None else ""
