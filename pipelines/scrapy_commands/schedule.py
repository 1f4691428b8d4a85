"""``scrapy schedule``: ``pipelines.commands.schedule``."""

from pipelines.scrapy_adapter import ScrapyAdapter


class Command(ScrapyAdapter):
    """Found by Scrapy in this module."""
