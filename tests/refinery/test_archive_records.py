"""What is read in WARC files, sound and damaged."""

from __future__ import annotations

import gzip
import io
import resource
import zlib
from collections import deque
from collections.abc import Callable

import pytest
from archive_samples import gzipped, record, rendered, response, zstandards

from refinery.warc.http import MAX_BODY, Response
from refinery.warc.records import DAMAGED, records

A, B, C = (response(f"http://example.org/{name}", f"<p>{name}") for name in "abc")


def bodies(content: bytes) -> list[tuple[str, bytes | str]]:
    """The path of each record, with its body or its problem."""
    return [
        (
            found.url.rpartition("/")[2],
            found.content.body if isinstance(found.content, Response) else found.problem,
        )
        for found in records(io.BytesIO(content))
    ]


@pytest.mark.parametrize("pack", [gzipped, zstandards, lambda *parts: b"".join(parts)])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_both_versions_are_read_however_they_are_compressed(
    pack: Callable[..., bytes], version: str
) -> None:
    again = response("http://example.org/d", "<p>d", version=version)
    assert bodies(pack(A, again)) == [("a", b"<p>a"), ("d", b"<p>d")]


def test_only_responses_and_texts_are_read() -> None:
    text = record("conversion", "http://example.org/t", "Müde".encode())
    others = [record(kind, "http://example.org/x", b"x") for kind in ("request", "metadata")]
    found = list(records(io.BytesIO(gzipped(*others, A, text))))
    assert [one.url[-1] for one in found] == ["a", "t"]
    assert found[1].content == "Müde"


def test_what_is_neither_http_nor_text_is_what_its_record_says() -> None:
    kinds = {"dns": "text/dns", "ftp": "text/plain", "page": "text/html; charset=koi8-r"}
    answers = [
        record("response", f"ftp://example.org/{name}", b"x", headers=f"Content-Type: {kind}\r\n")
        for name, kind in kinds.items()
    ]
    picture = record(
        "conversion", "http://example.org/png", b"\x89PNG", headers="Content-Type: image/png\r\n"
    )
    large = record(
        "response", "ftp://film", bytes(MAX_BODY + 1), headers="Content-Type: video/mp4\r\n"
    )
    found = [one.content for one in records(io.BytesIO(gzipped(*answers, picture, large)))]
    assert all(isinstance(one, Response) for one in found)
    assert [(one.media_type, one.charset) for one in found if isinstance(one, Response)] == [
        ("text/dns", None), ("text/plain", None), ("text/html", "koi8-r"),
        ("image/png", None), ("video/mp4", None),
    ]  # fmt: skip


def test_a_page_that_was_rendered_is_one_with_its_response() -> None:
    parts = (A, rendered("http://example.org/a", "<p>a<p>müde"), B)
    found = list(records(io.BytesIO(gzipped(*parts))))
    assert [(one.url[-1], one.rendered) for one in found] == [("a", "<p>a<p>müde"), ("b", None)]
    assert isinstance(found[0].content, Response)
    assert (found[0].content.body, found[0].offset) == (b"<p>a", 0)


@pytest.mark.parametrize("before", [(), (A, B), (A, rendered("http://example.org/a", "<p>a"))])
def test_a_page_that_was_rendered_is_there_without_the_response_to_which_it_refers(
    before: tuple[bytes, ...],
) -> None:
    last = rendered(
        "http://example.org/r", "<p>r", of="urn:uuid:2" if B in before else "urn:uuid:1"
    )
    *_, found = records(io.BytesIO(gzipped(*before, last)))
    assert isinstance(found.content, Response)
    assert (found.url[-1], found.content.body, found.rendered) == ("r", b"<p>r", "<p>r")


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ("Content-Encoding: gzip\r\n", gzipped(b"<p>x")),
        ("Transfer-Encoding: chunked\r\n", b"4\r\n<p>x\r\n0\r\n\r\n"),
        ("Content-Encoding: gzip\r\n", b"<p>x"),  # decoded by the archiver, who kept the header
        ("Content-Encoding: br\r\n", b"<p>x"),
        ("Transfer-Encoding: chunked\r\n", b"<p>x"),
        ("Content-Encoding: deflate\r\n", zlib.compress(b"<p>x")),
        ("Content-Encoding: deflate\r\n", zlib.compress(b"<p>x", wbits=-15)),  # as browsers bear it
        ("Content-Encoding: deflate\r\n", b"<p>x"),
        ("Content-Encoding: gzip\r\n" * 2, gzipped(gzipped(b"<p>x"))),
        ("Content-Encoding: gzip\r\n", gzipped(b"<p", b"", b">x")),  # all members, as in a crawl
        ("Content-Encoding: gzip\r\n", gzipped(b"<p>x") + b"\0\0 more"),
    ],
)
def test_encodings_are_undone_if_they_are_true(headers: str, body: bytes) -> None:
    encoded = response("http://example.org/e", body, headers=headers)
    assert bodies(gzipped(encoded, A)) == [("e", b"<p>x"), ("a", b"<p>a")]


def test_of_several_media_types_the_last_counts_as_in_a_crawl() -> None:
    headers = "Content-Type: text/html, text/html; charset=utf-8\r\n"
    page = response("http://example.org/e", "<p>x", content_type="text/plain", headers=headers)
    [found] = records(io.BytesIO(page))
    assert isinstance(found.content, Response)
    assert (found.content.media_type, found.content.charset) == ("text/html", "utf-8")


def test_a_header_may_go_on_in_further_lines_as_in_a_crawl() -> None:
    headers = "X-Robots-Tag: all,\r\n\tnoai,\r\n  noimageai\r\nX-A: b\r\n"
    folded = "text/html;\r\n charset=windows-1251"
    page = response("http://example.org/e", "<p>x", content_type=folded, headers=headers)
    [found] = records(io.BytesIO(page))
    assert isinstance(found.content, Response)
    assert found.content.charset == "cp1251"
    assert found.content.headers[1:] == (("x-robots-tag", "all, noai, noimageai"), ("x-a", "b"))


def test_only_a_few_encodings_are_undone() -> None:
    body = b"<p>x"
    for _ in range(3):
        body = gzipped(body)
    body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    headers = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip, gzip, gzip\r\n"
    usual = response("http://example.org/e", body, headers=headers)
    assert bodies(usual + A) == [("e", b"<p>x"), ("a", b"<p>a")]
    for header in ("Content", "Transfer"):
        headers = f"{header}-Encoding: gzip,br,br,br\r\n"
        hostile = response("http://example.org/e", "<p>x", headers=headers)
        assert bodies(hostile + A) == [("e", "damaged"), ("a", b"<p>a")]


PAGE = "".join(f"<p>{number}" for number in range(999)).encode()


@pytest.mark.parametrize(
    ("headers", "body", "problem"),
    [
        ("Content-Encoding: gzip\r\n", gzipped(PAGE)[:-200], "truncated"),
        ("Content-Encoding: deflate\r\n", zlib.compress(PAGE, wbits=-15)[:-200], "truncated"),
        ("Content-Encoding: gzip\r\n", gzipped(b"<p>", PAGE)[:-200], "truncated"),
        ("Content-Encoding: gzip\r\n", gzipped(PAGE)[:99] + bytes(99), "damaged"),
        ("Content-Encoding: gzip\r\n", gzipped(*[b"<p>x"] * 101), "damaged"),
        ("Content-Encoding: zstd\r\n", zstandards(PAGE)[:-200], "damaged"),
        ("Transfer-Encoding: chunked\r\n", b"fff\r\n<p>x", "damaged"),
    ],
)
def test_a_body_that_cannot_be_decoded_is_no_page(headers: str, body: bytes, problem: str) -> None:
    encoded = response("http://example.org/e", body, headers=headers)
    assert bodies(encoded + A) == [("e", problem), ("a", b"<p>a")]


def test_what_the_archiver_has_cut_off_is_no_page() -> None:
    cut = A.replace(b"WARC-Date", b"WARC-Truncated: length\r\nWARC-Date", 1)
    [found, _] = records(io.BytesIO(cut + B))
    assert (found.problem, found.detail) == (
        "truncated", "the archiver has cut the record off (length)",
    )  # fmt: skip


@pytest.mark.parametrize("pack", [gzipped, zstandards])
def test_reading_goes_on_after_a_broken_member(pack: Callable[..., bytes]) -> None:
    broken = bytearray(pack(A))
    broken[40:60] = bytes(20)
    assert bodies(pack(A) + bytes(broken) + pack(C)) == [
        ("a", b"<p>a"),
        ("", "damaged"),
        ("c", b"<p>c"),
    ]


def test_reading_goes_on_after_rubbish_between_records() -> None:
    assert bodies(A + b"rubbish\n" * 50 + C) == [("a", b"<p>a"), ("", "damaged"), ("c", b"<p>c")]


@pytest.mark.parametrize("pack", [gzipped, lambda *parts: b"".join(parts)])
def test_a_record_that_is_shorter_than_it_says_loses_no_others(pack: Callable[..., bytes]) -> None:
    short = response("http://example.org/s", "<p>", length=9000)
    assert bodies(pack(A, short, C)) == [("a", b"<p>a"), ("s", "truncated"), ("c", b"<p>c")]


def test_a_file_that_is_cut_off_keeps_what_is_whole() -> None:
    assert bodies(gzipped(A, B)[:-20]) == [("a", b"<p>a"), ("b", "truncated")]
    assert bodies((A + B)[:-8]) == [("a", b"<p>a"), ("b", "truncated")]


def test_a_file_of_something_else_is_damaged_and_an_empty_one_is_empty() -> None:
    assert bodies(b"<html>not an archive</html>" * 99) == [("", "damaged")]
    assert bodies(b"") == []


def test_bombs_and_giants_are_passed_over_in_bounded_memory() -> None:
    bomb = gzip.compress(bytes(300_000_000), 9)
    encoded = response("http://example.org/bomb", bomb, headers="Content-Encoding: gzip\r\n")
    # 2 GB of zeros, of which the record consists.
    head, _, _ = response("http://example.org/giant", b"", length=2 * 1024**3).partition(
        b"\r\n\r\n"
    )
    squeezer = io.BytesIO()
    with gzip.GzipFile(fileobj=squeezer, mode="wb", compresslevel=1, mtime=0) as giant:
        giant.write(head + b"\r\n\r\n")
        for _ in range(2048):
            giant.write(bytes(1024**2))
        giant.write(b"\r\n\r\n")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert bodies(gzipped(encoded) + squeezer.getvalue() + gzipped(C)) == [
        ("bomb", "too-large"),
        ("giant", "too-large"),
        ("c", b"<p>c"),
    ]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # kB


def test_a_problem_names_the_record_and_its_place() -> None:
    [_, found] = records(io.BytesIO(gzipped(A, B)[:-20]))
    assert (found.url, found.offset) == ("http://example.org/b", len(gzipped(A)))
    assert found.detail.startswith("the record has ")


class Counted(io.BytesIO):
    """Knows how many bytes were read."""

    taken = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.taken += len(data)
        return data


def test_a_file_of_nothing_but_beginnings_is_not_read_to_its_end_for_each() -> None:
    count = 15_000
    file = Counted(b"WARC/1.1\r\nContent-Length: 1\r\n\r\n" * count)
    assert {one.problem for one in records(file)} == {DAMAGED}
    # FastWARC's own buffer, and a little to find the next one.
    assert file.taken / count < 80_000


@pytest.mark.parametrize("length", [30_000_000, 300_003])
def test_records_that_seem_to_hold_all_others_are_not_read_again_for_each(length: int) -> None:
    head = f"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: {length}\r\n\r\n".encode()
    file = Counted(head * 40_000)
    [last] = deque(records(file), maxlen=1)
    assert (last.problem, last.detail) == (
        "damaged", "too many records overlap; the rest of the file is passed over",
    )  # fmt: skip
    assert file.taken < 2_000_000_000
