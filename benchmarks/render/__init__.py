"""Rendered pages a second beside plain scrapy-playwright."""
