"""One command line for all parts: ``genre-crawler``, or ``python -m genre_crawler``."""
