"""``scrapy corpus``, as ``genre-crawler corpus``."""

from genre_crawler.scrapy_adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """Found by Scrapy in this module."""
