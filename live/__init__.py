"""The page on which people watch and steer a crawl, and its metrics for Prometheus.

A worker's extension of Scrapy (``extension``) counts what the pages tell, and loads the server when
the first visitor comes. ``genre-crawler live JOB`` serves the same page for a whole fleet.
"""
