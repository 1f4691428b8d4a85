"""What is packed is unpacked, but not as often as a server likes."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable

import brotli
import pytest
from backports import zstd
from scrapy import Request
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from crawler.fetching.resource_limits import BoundedCompressionMiddleware, TooManyEncodingsError

REQUEST = Request("http://example.com/")
PAGE = b"<p>Words of a page."


def unpacked(codings: list[str], body: bytes, flags: list[str] | None = None) -> bytes:
    middleware = BoundedCompressionMiddleware.from_crawler(get_crawler())
    headers = {"Content-Encoding": codings}
    answer = Response(REQUEST.url, headers=headers, body=body, flags=flags)
    found = middleware.process_response(REQUEST, answer)
    assert isinstance(found, Response)
    return found.body


def packed(times: int) -> bytes:
    body = PAGE
    for _ in range(times):
        body = gzip.compress(body)
    return body


def test_an_answer_is_unpacked_three_times() -> None:
    assert unpacked([], PAGE) == PAGE
    assert unpacked(["gzip"], packed(1)) == PAGE
    assert unpacked(["gzip, x-gzip, gzip"], packed(3)) == PAGE


@pytest.mark.parametrize("codings", [["gzip,gzip,gzip,gzip"], ["gzip"] * 4, ["gzip,gzip"] * 2])
def test_one_that_is_packed_more_often_is_refused_before_anything_is_unpacked(
    codings: list[str],
) -> None:
    with pytest.raises(TooManyEncodingsError, match="4 content encodings, at most 3 are allowed"):
        unpacked(codings, b"is no gzip")


def test_one_that_is_too_large_unpacked_is_cancelled_as_one_that_is_sent_so() -> None:
    middleware = BoundedCompressionMiddleware.from_crawler(get_crawler())
    body = gzip.compress(bytes(1_000_000))
    answer = Response(REQUEST.url, headers={"Content-Encoding": "gzip"}, body=body)
    request = REQUEST.replace(meta={"download_maxsize": 100_000})
    with pytest.raises(DownloadCancelledError, match=r"exceeded DOWNLOAD_MAXSIZE \(100000 B\)"):
        middleware.process_response(request, answer)


def shrunk(body: bytes) -> bytes:
    """Deflate without a header."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "X-GZIP": gzip.compress,
    "identity, gzip": gzip.compress,
    "deflate": zlib.compress,
    " deflate": shrunk,
    "br": brotli.compress,
    "zstd": zstd.compress,
    "gzip, br": lambda body: brotli.compress(gzip.compress(body)),
}
LONG = b"".join(b"<p>Paragraph %d tells of the tide." % number for number in range(20_000))


@pytest.mark.parametrize("coding", PACKERS)
def test_one_that_was_cut_off_is_as_a_broken_connection(coding: str) -> None:
    whole = PACKERS[coding](LONG)
    assert unpacked([coding], whole) == LONG
    for kept in (len(whole) // 2, len(whole) - 10):
        with pytest.raises(EOFError, match="ends before its compressed data do"):
            unpacked([coding], whole[:kept])


@pytest.mark.parametrize(("coding", "checksum"), [("gzip", 8), ("deflate", 4)])
def test_one_that_lacks_only_its_checksum_is_whole(coding: str, checksum: int) -> None:
    whole = PACKERS[coding](LONG)
    for lacking in range(1, checksum + 1):
        assert unpacked([coding], whole[:-lacking]) == LONG


def test_one_that_we_stopped_is_unpacked_as_far_as_it_came() -> None:
    half = gzip.compress(LONG)[:10_000]
    assert LONG.startswith(unpacked(["gzip"], half, flags=["download_stopped"]))


@pytest.mark.parametrize("coding", PACKERS)
def test_one_without_a_body_is_whole(coding: str) -> None:
    assert unpacked([coding], b"") == b""


def test_one_whose_checksum_is_wrong_is_whole() -> None:
    body = gzip.compress(LONG)
    assert unpacked(["gzip"], body[:-8] + bytes(8)) == LONG


def test_no_other_unpacks_in_a_crawl() -> None:
    settings = Settings()
    settings.setmodule("settings.base")
    middlewares = settings.get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES")
    ours = {str(name): at for name, at in middlewares.items() if "Compression" in str(name)}
    assert {name for name, at in ours.items() if at is not None} == {
        "crawler.fetching.resource_limits.BoundedCompressionMiddleware"
    }
