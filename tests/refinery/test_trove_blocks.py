"""Our blocks in pipelines as users of datatrove write them."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import datatrove.data as trove
import orjson
import pyarrow.parquet as pq
import pytest
from archive_samples import archive, gzipped, html, record, rendered, response
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.filters import GopherQualityFilter
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter, ParquetWriter

from pipelines.corpus.errors import CorpusError
from pipelines.corpus.shards import Rotation
from pipelines.corpus.verification import verify
from refinery.blocks import JobFilter, PageExtractor, ShardReader, ShardWriter, WarcReader
from refinery.dataset.schema import SCHEMA, row_adapter
from settings.tables.consent import Consent
from settings.tables.extraction import Extraction
from settings.tables.filters import Filters

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.usefixtures("forked_workers")


def run(*blocks: object) -> list[trove.Document]:
    """The documents that leave a pipeline of one task."""
    data = None
    for block in blocks:
        data = block(data, 0, 1)
    return list(data or ())


def page(text: str, url: str = "http://example.org/") -> trove.Document:
    return trove.Document(text, url, metadata={"url": url, "date": "2026-05-01T12:00:00Z"})


def test_three_lines_of_a_user_make_documents_of_an_archive(tmp_path: Path) -> None:
    source = tmp_path / "a.warc.gz"
    urls = [f"http://example.org/blog/{number}" for number in range(3)]
    pages = [response(url, html(f"Fog signal {url[-1]}")) for url in urls]
    source.write_bytes(gzipped(*pages))
    LocalPipelineExecutor(
        [WarcReader(str(source)), PageExtractor(), JsonlWriter(str(tmp_path / "out"))],
        logging_dir=str(tmp_path / "logs"),
    ).run()
    found = list(JsonlReader(str(tmp_path / "out"))())
    assert [document.metadata["url"] for document in found] == urls
    assert found[0].text.startswith("Fog signal 0\n\nAlong this coast")
    assert "Contact" not in found[0].text
    metadata = found[2].metadata
    assert (metadata["archive"], metadata["record_id"]) == ("a.warc.gz", "urn:uuid:1")
    assert metadata["archive_offset"] == len(gzipped(*pages[:2]))
    metadata = found[0].metadata
    assert (metadata["genre"], metadata["language"], metadata["title"]) == (
        "article", "en", "Fog signal 0",
    )  # fmt: skip
    assert 0 < metadata["extractor_confidence"] <= 1


def test_the_script_of_the_documentation_runs(tmp_path: Path) -> None:
    shown = (ROOT / "docs/how-to/from-archives.md").read_text(encoding="utf-8")
    script = shown.partition("```python\n")[2].partition("```")[0]
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    (tmp_path / "a.warc.gz").write_bytes(gzipped(response("http://example.org/", html())))
    subprocess.run([sys.executable, "script.py"], cwd=tmp_path, check=True)
    [found] = JsonlReader(str(tmp_path / "texts"))()
    assert found.metadata["url"] == "http://example.org/"


def test_what_owners_say_in_pages_and_headers_is_recorded_and_obeyed(tmp_path: Path) -> None:
    source = tmp_path / "a.warc.gz"
    said = html().replace("<head>", '<head><meta name="robots" content="noai">')
    licence = '<link rel="license" href="https://creativecommons.org/licenses/by-nc/4.0/">'
    pages = [
        response("http://example.org/silent", html()),
        response("http://example.org/page", said),
        response("http://example.org/header", html(), headers="TDM-Reservation: 1\r\n"),
        response("http://example.org/licence", html().replace("<head>", f"<head>{licence}")),
    ]
    source.write_bytes(gzipped(*pages))
    read = run(WarcReader(str(source)), PageExtractor(keep_rejects=True))
    assert [one.metadata.get("reject_detail") for one in read] == [
        None,
        "noai in page: noai",
        "tdmrep in header: tdm-reservation: 1",
        None,
    ]
    assert [bool(one.text) for one in read] == [True, False, False, True]
    assert [one.metadata["title"] for one in read[1:3]] == [None, None]
    assert [len(one.metadata["consent"]["found"]) for one in read] == [0, 1, 1, 1]
    assert read[0].metadata["consent"]["files"] == []
    everything = Consent(honour=[])
    assert all(
        one.text for one in run(WarcReader(str(source)), PageExtractor(None, None, everything))
    )


def test_our_blocks_stand_beside_those_of_datatrove(tmp_path: Path) -> None:
    source = archive(tmp_path / "a.warc.gz", 2)
    assert len(run(WarcReader(str(source)), PageExtractor(), GopherQualityFilter())) == 2


def test_the_writer_of_parquet_gets_the_columns_of_a_data_set(tmp_path: Path) -> None:
    licence = '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'
    canonical = '<link rel="canonical" href="/story#top">'
    pages = [html(), html("Licensed").replace("<head>", f"<head>{licence}{canonical}")]
    source = tmp_path / "a.warc.gz"
    source.write_bytes(
        gzipped(*(response(f"http://example.org/{n}", text) for n, text in enumerate(pages)))
    )
    writer = ParquetWriter(str(tmp_path / "out"), adapter=row_adapter, schema=SCHEMA, batch_size=1)
    run(WarcReader(str(source)), PageExtractor(), writer)
    table = pq.read_table(tmp_path / "out")
    assert table.schema.equals(SCHEMA)
    assert table["canonical"].to_pylist() == [None, "http://example.org/story"]
    assert table["licence"].to_pylist() == [None, "https://creativecommons.org/licenses/by/4.0/"]


def test_the_extractor_writes_the_format_that_is_asked_for() -> None:
    [found] = run(
        lambda *_: [page(html())], PageExtractor(extraction=Extraction(format="markdown"))
    )
    assert found.text.startswith("# Fog signals")


def test_a_page_that_hangs_is_killed_and_the_next_one_is_read() -> None:
    slow = page("<p>" + "<b><i><a>" * 600_000, "http://example.org/slow")
    found = run(lambda *_: [slow, page(html())], PageExtractor(timeout=0.5, keep_rejects=True))
    assert [document.metadata.get("reject_reason") for document in found] == ["timeout", None]


def test_rejects_are_dropped_unless_they_are_to_be_kept() -> None:
    pages = [page("<p>Too short."), page(html())]
    for keep, reasons in ((False, [None]), (True, ["too-short", None])):
        found = run(
            lambda *_: [page(one.text) for one in pages],
            PageExtractor(keep_rejects=keep),
            JobFilter(Filters(min_words=20), keep_rejects=keep),
        )
        assert [document.metadata.get("reject_reason") for document in found] == reasons


def test_of_a_page_that_was_rendered_what_scripts_brought_is_read(tmp_path: Path) -> None:
    """What its owner said of its use is not taken back by them."""
    url, shell = "http://example.org/app", "<title>App</title><div id=app></div><script></script>"
    said = f'<meta name="robots" content="noai">{shell}'
    source = tmp_path / "a.warc.gz"
    parts = [
        part for body in (shell, said) for part in (response(url, body), rendered(url, html()))
    ]
    source.write_bytes(gzipped(*parts))
    kept, refused = run(WarcReader(str(source)), PageExtractor(keep_rejects=True))
    assert "Along this coast fog came often" in kept.text
    assert kept.metadata["rendered"] is True
    assert refused.metadata["reject_detail"] == "noai in page: noai"
    assert refused.text == ""
    assert not {"served_html", "consent_headers"} & (kept.metadata.keys() | refused.metadata.keys())


def test_a_page_that_was_rendered_is_rejected_if_what_was_served_cannot_be_read(
    tmp_path: Path,
) -> None:
    """Nobody knows then what its owner says about its use."""
    url, source = "http://example.org/app", tmp_path / "a.warc.gz"
    source.write_bytes(gzipped(response(url, "<p>" * 1_100_000), rendered(url, html())))
    [found] = run(WarcReader(str(source)), PageExtractor(keep_rejects=True, timeout=90))
    assert (found.metadata["reject_reason"], found.text) == ("unreadable", "")


def test_declared_charsets_are_honoured_and_texts_of_wet_files_kept(tmp_path: Path) -> None:
    polish = html("Łódź").encode("iso-8859-2")
    one = response("http://example.org/pl", polish, content_type="text/html; charset=iso-8859-2")
    text = record(
        "conversion",
        "http://example.org/t",
        "Die Wärter läuteten die Glocke von Hand, bis das Horn kam.".encode(),
    )
    other = response("http://example.org/css", "a {}", content_type="text/css")
    feed = response("http://example.org/feed", "<rss><title>Łódź</title></rss>")
    gone = response("http://example.org/gone", html(), status="404 Not Found")
    source = tmp_path / "a.warc.gz"
    source.write_bytes(gzipped(one, text, other, feed, gone))
    reader = WarcReader(str(source))
    [first, second] = run(reader, PageExtractor())
    assert first.metadata["title"] == "Łódź"
    assert (second.text, second.metadata["extractor"]) == (
        "Die Wärter läuteten die Glocke von Hand, bis das Horn kam.",
        "wet",
    )
    assert second.metadata["language"] == "de"
    passed_over = orjson.loads(orjson.dumps({k: v.total for k, v in reader.stats.stats.items()}))
    assert passed_over.items() >= {"passed_over_not-html": 2, "passed_over_http-404": 1}.items()


@pytest.mark.parametrize(
    ("date", "fetched_at"),
    [
        ("2026-05-01T14:00:00+02:00", "2026-05-01T12:00:00.000Z"),
        ("2026-05-01T12:00:00", "2026-05-01T12:00:00.000Z"),
        ("2026-05", "2026-05-01T00:00:00.000Z"),
        ("2026", "2026-01-01T00:00:00.000Z"),
        ("yesterday", "1970-01-01T00:00:00.000Z"),
        ("0001-01-01T00:00:00+14:00", "1970-01-01T00:00:00.000Z"),
        ("9999-12-31T23:59:59-14:00", "1970-01-01T00:00:00.000Z"),
    ],
)
def test_the_time_of_a_page_is_in_utc_or_unknown(
    date: str, fetched_at: str, tmp_path: Path
) -> None:
    source = tmp_path / "a.warc"
    dated = response("http://example.org/", "<p>x").replace(b"2026-05-01T12:00:00Z", date.encode())
    source.write_bytes(dated)
    [found] = run(WarcReader(str(source)))
    assert found.metadata["fetched_at"] == fetched_at


def test_a_corpus_is_written_verified_and_read_again(tmp_path: Path) -> None:
    source = archive(tmp_path / "a.warc.gz", 3)
    source.write_bytes(source.read_bytes()[:-20])  # The last record is cut off.
    corpus = tmp_path / "corpus"
    blocks = (
        WarcReader(str(source), keep_rejects=True),
        PageExtractor(keep_rejects=True),
        JobFilter(keep_rejects=True),
    )
    run(*blocks, ShardWriter(corpus))
    found = verify(corpus)
    assert (found.exit_code, found.documents, found.rejects) == (0, 2, 1)
    assert [one.id for one in run(ShardReader(corpus))] == [one.id for one in run(*blocks)][:2]
    [reject] = run(ShardReader(corpus, "rejects"))
    assert reject.metadata["reject_reason"] == "truncated"


def test_a_part_that_is_complete_is_not_written_again(tmp_path: Path) -> None:
    run(lambda *_: [page("One.")], ShardWriter(tmp_path))
    before = (tmp_path / "manifest-part-00000.json").read_bytes()

    def unread(*_: object) -> list[trove.Document]:
        raise AssertionError

    run(lambda *_: (unread() for _ in range(1)), ShardWriter(tmp_path))
    assert (tmp_path / "manifest-part-00000.json").read_bytes() == before


def test_a_part_that_was_interrupted_begins_anew(tmp_path: Path) -> None:
    def interrupted(*_: object) -> Iterator[trove.Document]:
        yield from (page(f"Document {number}.") for number in range(250))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run(interrupted, ShardWriter(tmp_path, rotation=Rotation(bytes=1)))
    assert list((tmp_path / "documents").glob("*.zst"))
    assert not list(tmp_path.glob("manifest-*"))
    run(lambda *_: [page("One.")], ShardWriter(tmp_path))
    found = verify(tmp_path)
    assert (found.exit_code, found.documents) == (0, 1)


def test_a_full_disk_is_a_clear_error_and_what_is_half_written_does_not_look_whole(
    tmp_path: Path,
) -> None:
    chance = random.Random(1)
    pages = [page(chance.randbytes(500).hex()) for _ in range(250)]
    pid = os.fork()
    if not pid:  # A process that may write small files only.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        try:
            run(lambda *_: pages, ShardWriter(tmp_path))
        except CorpusError as error:
            os._exit(0 if "free some disk space" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert not list(tmp_path.glob("manifest-*"))
    run(lambda *_: pages, ShardWriter(tmp_path))
    assert verify(tmp_path).documents == 250


def test_a_damaged_shard_is_not_read(tmp_path: Path) -> None:
    run(lambda *_: [page("One.")], ShardWriter(tmp_path))
    [shard] = (tmp_path / "documents").iterdir()
    shard.write_bytes(shard.read_bytes()[:-1])
    with pytest.raises(CorpusError, match="bytes, not"):
        run(ShardReader(tmp_path))


def test_documents_without_an_address_are_refused() -> None:
    with pytest.raises(ValueError, match="must have the metadata url and fetched_at"):
        run(lambda *_: [trove.Document("<p>", "1")], PageExtractor())
