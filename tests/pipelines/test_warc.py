"""WARC files: what other tools read, and what a crash leaves."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from corpus_samples import page
from fastwarc.warc import ArchiveIterator as FastWarc
from fastwarc.warc import WarcRecordType
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders

from crawler.items import Page
from pipelines.corpus.layout import Layout
from pipelines.corpus.shards import Rotation
from pipelines.corpus.warc import WarcSeries, recover


def series(folder: Path, **limits: float) -> WarcSeries:
    """As a run begins."""
    recover(Layout(folder, "worker"))
    return WarcSeries(Layout(folder, "worker"), rotation=Rotation(**limits))


def responses(path: Path) -> list[tuple[str, int, bytes]]:
    with path.open("rb") as file:
        return [
            (
                record.rec_headers.get_header("WARC-Target-URI"),
                int(record.http_headers.get_statuscode()),
                record.content_stream().read(),
            )
            for record in ArchiveIterator(file, check_digests="raise")
            if record.rec_type == "response"
        ]


def test_pages_are_read_back_by_warcio_and_fastwarc(tmp_path: Path) -> None:
    warc = series(tmp_path)
    for number in range(3):
        warc.write(page(number, html=b"<p>%d\xff\0" % number))
    warc.complete()
    path = tmp_path / "warc/worker-000000.warc.gz"
    expected = [(f"https://example.com/{n}", 200, b"<p>%d\xff\0" % n) for n in range(3)]
    assert responses(path) == expected
    with path.open("rb") as file:
        bodies = [one.reader.read() for one in FastWarc(file, WarcRecordType.response)]
    assert bodies == [body for _, _, body in expected]


def test_a_page_that_was_rendered_is_followed_by_its_dom(tmp_path: Path) -> None:
    warc = series(tmp_path)
    warc.write(page(1, html=b"<p>Served", rendered_html="<p>R\u00e4in \ud800"))
    warc.complete()
    with (tmp_path / "warc/worker-000000.warc.gz").open("rb") as file:
        found = [
            (record.rec_type, record.rec_headers, record.content_stream().read())
            for record in ArchiveIterator(file, check_digests="raise")
        ][1:]
    (_, first, served), (kind, second, rendered) = found
    assert (served, kind, rendered.decode()) == (b"<p>Served", "conversion", "<p>R\u00e4in ?")
    assert second.get_header("WARC-Refers-To") == first.get_header("WARC-Record-ID")
    assert second.get_header("WARC-Target-URI") == first.get_header("WARC-Target-URI")
    assert second.get_header("Content-Type") == "text/html; charset=utf-8"


def test_headers_fit_the_stored_body_and_cannot_add_others(tmp_path: Path) -> None:
    warc = series(tmp_path)
    one = page()
    headers = (
        ("content-encoding", "gzip"),
        ("content-length", "99999"),
        ("x-evil", "a\r\nset-cookie: b"),
        ("x-odd", "żółć"),
    )
    warc.write(Page(one.lease, one.url, 299, headers, b"body", one.fetched_at))
    warc.complete()
    with (tmp_path / "warc/worker-000000.warc.gz").open("rb") as file:
        record = list(ArchiveIterator(file))[1]
    assert record.http_headers.get_header("Content-Length") == "4"
    assert record.http_headers.get_header("X-Archive-Orig-content-encoding") == "gzip"
    assert record.http_headers.get_header("set-cookie") is None
    assert record.http_headers.get_header("content-encoding") is None


def test_a_headers_name_is_written_in_ascii(tmp_path: Path) -> None:
    warc = series(tmp_path)
    one = page()
    headers = (("x-café", "a"), ("x-\u4e2d", "b"), ("x-next", "café"))
    warc.write(Page(one.lease, one.url, 200, headers, b"body", one.fetched_at))
    warc.complete()
    with (tmp_path / "warc/worker-000000.warc.gz").open("rb") as file:
        record = list(ArchiveIterator(file))[1]
    names = [name for name, _ in record.http_headers.headers]
    assert names == ["x-caf?", "x-?", "x-next", "Content-Length"]


def test_a_page_that_fits_no_record_is_left_out_and_the_file_stays_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: StatusAndHeaders, *__: object) -> None:
        raise UnicodeEncodeError("ascii", "é", 0, 1, "no such character")

    warc = series(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(StatusAndHeaders, "compute_headers_buffer", refuse)
        warc.write(page(0))
    warc.write(page(1))
    warc.complete()
    found = responses(tmp_path / "warc/worker-000000.warc.gz")
    assert [url for url, _, _ in found] == ["https://example.com/1"]
    assert "could not write https://example.com/0 to the WARC file" in caplog.text


def test_an_answer_that_was_not_taken_has_no_record(tmp_path: Path) -> None:
    warc = series(tmp_path)
    warc.write(replace(page(0), status=0, headers=(), html=b""))
    warc.write(page(1))
    warc.complete()
    found = responses(tmp_path / "warc/worker-000000.warc.gz")
    assert [url for url, _, _ in found] == ["https://example.com/1"]


@pytest.mark.parametrize("limit", [{"bytes": 1}, {"seconds": 1e-9}])
def test_files_rotate(tmp_path: Path, limit: dict[str, float]) -> None:
    warc = series(tmp_path, **limit)
    for number in range(3):
        warc.write(page(number))
    assert len(list((tmp_path / "warc").glob("*.warc.gz"))) == 3


def test_a_file_cut_anywhere_keeps_its_whole_records(tmp_path: Path) -> None:
    warc = series(tmp_path)
    sizes = []
    path = tmp_path / "warc/worker-000000.warc.gz.open"
    for number in range(2):
        warc.write(page(number))
        warc.sync()
        sizes.append(path.stat().st_size)
    content = path.read_bytes()
    for size in range(0, len(content) + 1, 7):
        path.write_bytes(content[:size])
        series(tmp_path)
        complete = path.with_suffix("")
        found = responses(complete) if complete.exists() else []
        assert len(found) == sum(end <= size for end in sizes)
        complete.unlink(missing_ok=True)


def test_a_cut_file_is_on_the_disk_before_it_gets_its_final_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warc = series(tmp_path)
    warc.write(page())
    warc.sync()
    path = tmp_path / "warc/worker-000000.warc.gz.open"
    whole = path.stat()
    with path.open("ab") as file:
        file.write(b"torn")
    synced = []

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        if found.st_ino == whole.st_ino:
            synced.append((found.st_size, path.exists()))

    monkeypatch.setattr(os, "fsync", fsync)
    series(tmp_path)
    assert synced == [(whole.st_size, True)]


def test_a_restarted_series_takes_the_next_number(tmp_path: Path) -> None:
    for _ in range(2):
        warc = series(tmp_path)
        warc.write(page())
        warc.sync()
    names = sorted(path.name for path in (tmp_path / "warc").iterdir())
    assert names == ["worker-000000.warc.gz", "worker-000001.warc.gz.open"]


def test_names_of_files_that_were_moved_away_are_not_used_again(tmp_path: Path) -> None:
    for number in range(3):
        warc = series(tmp_path)
        warc.write(page(number))
        warc.complete()
        (complete,) = (tmp_path / "warc").iterdir()
        complete.rename(tmp_path / complete.name)
    moved = sorted(tmp_path.glob("*.warc.gz"))
    assert [path.name for path in moved] == [f"worker-00000{n}.warc.gz" for n in range(3)]
    found = [url for path in moved for url, _, _ in responses(path)]
    assert found == [f"https://example.com/{n}" for n in range(3)]


def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="writer's name"):
        WarcSeries(Layout(tmp_path, "../x"))
