"""Signals of Scrapy by which the pipeline tells of its pages; sent with ``send_catch_log``."""

from __future__ import annotations

from typing import Final

PAGE_READ: Final = object()
"""A page's content was read. page: the ``crawler.items.Page``."""

PAGE_JUDGED: Final = object()
"""It is settled what becomes of a page. document: the ``crawler.items.Document``. judgement: see
``crawler.outcomes.Judgement``. look: a ``pipelines.reading.second_look.SecondLook``; None of pages
whose content was not read."""
