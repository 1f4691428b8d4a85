"""Why a host cannot be connected to, in words."""

from __future__ import annotations

from typing import Final

from scrapy.exceptions import CannotResolveHostError, DownloadConnectionRefusedError

CAUSES: Final[dict[type[Exception], str]] = {
    CannotResolveHostError: "its name does not resolve",
    DownloadConnectionRefusedError: "it refuses connections",
}


def cause_of(error: Exception) -> str:
    """The cause of a failed request; the name of the error's class for other causes.

    >>> cause_of(CannotResolveHostError())
    'its name does not resolve'
    """
    return CAUSES.get(type(error), type(error).__name__)
