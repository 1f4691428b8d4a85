"""robots.txt, the sitemap index and its two sitemaps (one gzipped), and the RSS feed."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from email.utils import format_datetime
from html import escape
from typing import Final

from crawler.demo.origin import ORIGIN
from crawler.demo.pages import Page

_XML: Final = "application/xml; charset=utf-8"
_NAMESPACE: Final = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_FEED_ITEMS: Final = 10


def feeds(pages: Iterable[Page], crawl_delay: float) -> dict[str, tuple[str, str]]:
    """Content type and text by path; paths ending in ``.gz`` are compressed when served."""
    listed = [page for page in pages if not page.unlisted]
    articles = [page for page in listed if page.layout == "article"]
    others = [page for page in listed if page.layout != "article"]
    return {
        "/robots.txt": ("text/plain; charset=utf-8", _robots(crawl_delay)),
        "/sitemap.xml": (_XML, _index(["/sitemap-pages.xml", "/sitemap-articles.xml.gz"])),
        "/sitemap-pages.xml": (_XML, _sitemap(others)),
        "/sitemap-articles.xml.gz": ("application/gzip", _sitemap(articles)),
        "/feed.xml": ("application/rss+xml; charset=utf-8", _rss(articles[:_FEED_ITEMS])),
    }


def _robots(crawl_delay: float) -> str:
    return (
        f"User-agent: *\nDisallow: /private/\nCrawl-delay: {crawl_delay:g}\n\n"
        f"User-agent: greedy-bot\nDisallow: /\n\nSitemap: {ORIGIN}/sitemap.xml\n"
    )


def _index(paths: list[str]) -> str:
    entries = "".join(f"<sitemap><loc>{ORIGIN}{path}</loc></sitemap>\n" for path in paths)
    return f"{_HEAD}<sitemapindex {_NAMESPACE}>\n{entries}</sitemapindex>\n"


def _sitemap(pages: list[Page]) -> str:
    entries = "".join(
        f"<url><loc>{ORIGIN}{escape(page.path)}</loc><lastmod>{page.date}</lastmod></url>\n"
        for page in pages
    )
    return f"{_HEAD}<urlset {_NAMESPACE}>\n{entries}</urlset>\n"


def _rss(articles: list[Page]) -> str:
    items = "".join(
        f"<item><title>{escape(page.title)}</title><link>{ORIGIN}{page.path}</link>"
        f"<guid>{ORIGIN}{page.path}</guid><description>{escape(page.summary)}</description>"
        f"<pubDate>{_rss_date(page.date)}</pubDate></item>\n"
        for page in articles
    )
    return (
        f'{_HEAD}<rss version="2.0"><channel><title>The Harbour Almanac</title>'
        f"<link>{ORIGIN}/</link><description>Tides, bread, letters and railways</description>\n"
        f"{items}</channel></rss>\n"
    )


def _rss_date(date: datetime.date) -> str:
    noon = datetime.datetime.combine(date, datetime.time(12), tzinfo=datetime.UTC)
    return format_datetime(noon)
