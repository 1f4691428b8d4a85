"""Errors because of which a crawl cannot start, or ends."""

from __future__ import annotations


class CrawlError(Exception):
    """The crawl cannot start; the message says why and what helps."""


class StorageError(CrawlError):
    """The corpus cannot be written, for example because the disk is full."""


class InUseError(CrawlError):
    """Another crawl writes to the corpus under this worker's name."""


class StoppedError(CrawlError):
    """An operator has stopped the job for all its workers, and not resumed it."""
