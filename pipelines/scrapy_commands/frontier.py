"""``scrapy frontier``: ``pipelines.commands.frontier``."""

from pipelines.scrapy_adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """Found by Scrapy in this module."""
