"""``scrapy frontier``, as ``genre-crawler frontier``."""

from genre_crawler.scrapy_adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """Found by Scrapy in this module."""
