"""What can be wrong with a corpus."""

from __future__ import annotations


class CorpusError(Exception):
    """The corpus folder cannot be written or read; the message names the file and what helps."""


class NoCorpusError(CorpusError):
    """There is no corpus in the folder that was named."""


class CorpusInUseError(CorpusError):
    """Another process writes under the same name. The folder is left as it is."""


class DamagedError(CorpusError):
    """What lies in the folder is not what was written: no crash of a writer leaves it so."""


class ManifestDamagedError(DamagedError):
    """A manifest cannot be read, or says what none of this program's would."""


class ShardDamagedError(DamagedError):
    """A shard is not as it was written."""
