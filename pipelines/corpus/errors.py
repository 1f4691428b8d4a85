"""Errors of reading and writing a corpus; the crawler's base classes decide a crawl's exit code."""

from __future__ import annotations

from crawler.exit_codes import InUseError, StorageError


class CorpusError(StorageError):
    """The corpus cannot be written or read; the message names the file and says what helps."""


class NoCorpusError(CorpusError):
    """The folder is not a corpus."""


class CorpusInUseError(InUseError, CorpusError):
    """Another process writes under the same name. The folder is left unchanged."""


class DamagedError(CorpusError):
    """The files are not as they were written, in a way that no crash of a writer explains."""


class ManifestDamagedError(DamagedError):
    """A manifest cannot be read, or its content is invalid."""


class ShardDamagedError(DamagedError):
    """The content of a shard is not what was written."""
