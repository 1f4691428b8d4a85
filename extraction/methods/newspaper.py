"""newspaper4k, the maintained fork of newspaper3k. https://newspaper4k.readthedocs.io/"""

from __future__ import annotations

import warnings

from extraction.methods.base import LibraryExtractor

with warnings.catch_warnings():
    # It warns that nltk is missing, which it needs only for summaries.
    warnings.simplefilter("ignore", UserWarning)
    import newspaper


class Newspaper(LibraryExtractor):
    """The text of an ``Article`` made from the given HTML; nothing is fetched."""

    name = "newspaper"

    def text_of(self, html: str, url: str | None) -> str:
        config = newspaper.Config()
        config.fetch_images = False
        config.follow_meta_refresh = False
        article = newspaper.Article(url or "", config=config)
        article.download(input_html=html)
        article.parse()
        text: str = article.text
        return text
