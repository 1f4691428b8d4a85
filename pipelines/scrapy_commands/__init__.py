"""``scrapy crawl``, ``scrapy corpus``, ``scrapy extract`` and ``scrapy frontier``."""
