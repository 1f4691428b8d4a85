"""Why a crawl cannot begin, or has to end."""

from __future__ import annotations


class CrawlError(Exception):
    """The crawl cannot begin; the message says why and what would help."""


class StorageError(CrawlError):
    """What was crawled cannot be written, as on a full disk."""


class InUseError(CrawlError):
    """Another crawl writes to the corpus under the name of this worker."""


class StoppedError(CrawlError):
    """An operator has ended the job for all its workers, and not resumed it."""
