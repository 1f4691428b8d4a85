"""Why a host cannot be connected to, in words."""

from __future__ import annotations

from typing import Final

from OpenSSL import SSL
from scrapy.exceptions import CannotResolveHostError, DownloadConnectionRefusedError
from service_identity import VerificationError

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
    """Why TLS has failed; empty if it has not, or nothing tells why."""
    for reason in getattr(error.__cause__, "reasons", ()):
        match reason.value:
            case VerificationError():
                return "TLS: its certificate is for another host"
            case SSL.Error(args=([_, *_] as told,)):
                return f"TLS: {'; '.join(why for *_, why in told)}"
    return ""
