"""Commands that inspect corpora and frontiers, and extract pages, one module each.

They are here and not in ``crawler``, because ``crawler`` may not import ``pipelines``.
``genre_crawler`` offers them to ``genre-crawler`` and to ``scrapy``.
"""
