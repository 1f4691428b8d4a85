"""A whole crawl beside a Scrapy spider with trafilatura and one that only downloads."""
