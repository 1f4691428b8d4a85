"""Scrapy commands of this project, one module each.

They live here and not in ``crawler`` because they read corpora and extract pages, and ``crawler``
may not import ``pipelines``.
"""
