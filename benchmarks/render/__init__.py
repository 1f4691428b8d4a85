"""Rendered pages per second, compared with plain scrapy-playwright."""
