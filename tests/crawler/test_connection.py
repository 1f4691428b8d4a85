"""Why a host cannot be connected to."""

from __future__ import annotations

import pytest
from OpenSSL import SSL
from scrapy.exceptions import DownloadFailedError
from service_identity import VerificationError
from service_identity.exceptions import DNSMismatch
from service_identity.hazmat import DNS_ID
from twisted.python.failure import Failure
from twisted.web.client import ResponseFailed

from crawler.politeness.connection import cause_of


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        (
            VerificationError(errors=[DNSMismatch(mismatched_id=DNS_ID("a.example"))]),
            "TLS: its certificate is for another host",
        ),
        (
            SSL.Error([("SSL routines", "", "certificate verify failed")]),
            "TLS: certificate verify failed",
        ),
        (SSL.Error([]), "DownloadFailedError"),
        (SSL.SysCallError(-1, "Unexpected EOF"), "DownloadFailedError"),
        (SSL.ZeroReturnError(), "DownloadFailedError"),
        (ConnectionError("lost"), "DownloadFailedError"),
    ],
)
def test_what_tls_says_is_told(reason: Exception, cause: str) -> None:
    failed = DownloadFailedError()
    failed.__cause__ = ResponseFailed([Failure(reason)])
    assert cause_of(failed) == cause
