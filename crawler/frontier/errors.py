"""What can be wrong with a frontier's storage."""

from __future__ import annotations


class FrontierError(Exception):
    """The frontier cannot be used; the message names the file or server and what would help."""


class FrontierLockedError(FrontierError):
    """Another crawl works on this frontier. It is left as it is."""


class FrontierOwnerError(FrontierError):
    """The frontier is that of a job of another name. It is left as it is."""


class FrontierVersionError(FrontierError):
    """The frontier was written by another version of the crawler. It is left as it is."""


class FrontierGoneError(FrontierError):
    """The job is not there any more: it was removed, or its server has forgotten it."""


class FrontierFullError(FrontierError):
    """There is no room for a change, which was undone as a whole; the call may be repeated."""
