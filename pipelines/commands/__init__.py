"""Commands that inspect corpora and frontiers, and extract pages, one module each.

They are here and not in ``crawler``, because ``crawler`` may not import ``pipelines``.
``pipelines.scrapy_commands`` offers them to ``scrapy``, ``genre_crawler`` to ``genre-crawler``.
"""
