"""A whole crawl, compared with a Scrapy spider with trafilatura and one that only downloads."""
