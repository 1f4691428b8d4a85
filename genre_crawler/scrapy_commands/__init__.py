"""``scrapy crawl``, ``corpus``, ``extract``, ``frontier`` and ``schedule``."""
