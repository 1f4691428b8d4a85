"""What is packed is unpacked, but not as often as a server likes."""

from __future__ import annotations

import gzip

import pytest
from scrapy import Request
from scrapy.exceptions import DownloadCancelledError
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from crawler.fetching.resource_limits import BoundedCompressionMiddleware, TooManyEncodingsError

REQUEST = Request("http://example.com/")
PAGE = b"<p>Words of a page."


def unpacked(codings: list[str], body: bytes) -> bytes:
    middleware = BoundedCompressionMiddleware.from_crawler(get_crawler())
    answer = Response(REQUEST.url, headers={"Content-Encoding": codings}, body=body)
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


def test_no_other_unpacks_in_a_crawl() -> None:
    settings = Settings()
    settings.setmodule("settings.base")
    middlewares = settings.get_component_priority_dict_with_base("DOWNLOADER_MIDDLEWARES")
    ours = {str(name): at for name, at in middlewares.items() if "Compression" in str(name)}
    assert {name for name, at in ours.items() if at is not None} == {
        "crawler.fetching.resource_limits.BoundedCompressionMiddleware"
    }
