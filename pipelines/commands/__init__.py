"""Scrapy commands of this project; a module is a command.

They are here and not beside the spider, because they look into corpora and read pages, which
``crawler`` knows nothing of.
"""
