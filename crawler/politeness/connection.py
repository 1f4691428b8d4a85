"""Why a host cannot be connected to, in words."""

from __future__ import annotations

from typing import Final

from scrapy.exceptions import CannotResolveHostError, DownloadConnectionRefusedError

CAUSES: Final[dict[type[Exception], str]] = {
    CannotResolveHostError: "its name does not resolve",
    DownloadConnectionRefusedError: "it refuses connections",
}


def cause_of(error: Exception) -> str:
    """The cause of a failed request: what TLS says, or the name of the error's class for others.

    >>> cause_of(CannotResolveHostError())
    'its name does not resolve'
    """
    return CAUSES.get(type(error)) or _of_tls(error) or type(error).__name__


def _of_tls(error: Exception) -> str:
    """Why TLS has failed; empty if it has not. OpenSSL tells where and why, as a list of both."""
    for reason in getattr(error.__cause__, "reasons", ()):
        said = reason.value.args[0] if reason.value.args else None
        if isinstance(said, list):
            return f"TLS: {'; '.join(why for *_, why in said)}"
    return ""
