"""Errors of a frontier's storage."""

from __future__ import annotations

from crawler.exit_codes import CrawlError, ExitCode


class FrontierError(CrawlError):
    """The frontier cannot be used; the message names the file or server and says what helps."""

    exit_code = ExitCode.STORAGE


class FrontierLockedError(FrontierError):
    """Another crawl uses this frontier. It is left unchanged."""

    exit_code = ExitCode.IN_USE


class FrontierOwnerError(FrontierError):
    """The frontier belongs to a job with another name. It is left unchanged."""

    exit_code = ExitCode.USAGE


class FrontierVersionError(FrontierError):
    """The frontier was written by another version of the crawler. It is left unchanged."""


class FrontierGoneError(FrontierError):
    """The job no longer exists: it was removed, or its server has lost it."""


class FrontierFullError(FrontierError):
    """There is no space for a change, which was rolled back; the call may be repeated."""
