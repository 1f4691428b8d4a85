"""``corpus extract-warc``: archives in, a corpus out, whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import fsspec
import loaded_program
import pytest
import zstandard
from archive_samples import archive, gzipped, html, response
from extracted import content, texts
from loaded_program import ROOT
from scrapy_command import scrapy

from corpus_commons.browser import has_browser
from crawler.demo import DemoSite, Timings
from pipelines.corpus.errors import CorpusError
from pipelines.corpus.folder import shards
from pipelines.corpus.verification import verify
from refinery.dataset.layout import SUMMARY
from refinery.executors import Place, run
from refinery.extraction import Choices, extract
from refinery.warc.addresses import archives, part_name
from tests.pipelines.corpus_samples import document, write_corpus

pytestmark = [pytest.mark.timeout(300), pytest.mark.usefixtures("forked_workers")]
ALONE = Place(processes=1)
A_PAGE = response("http://two.example/long", "<p>Short.")


def test_archives_become_a_corpus_as_a_crawl_leaves_it(tmp_path: Path) -> None:
    folder = tmp_path / "archives"
    folder.mkdir()
    archive(folder / "one.warc.gz", 3, host="one.example")
    two = archive(folder / "two.warc.gz", 2, host="two.example")
    cut = A_PAGE.replace(b"WARC-Date", b"WARC-Truncated: length\r\nWARC-Date", 1)
    gone = response("http://two.example/gone", html(), status="404 Not Found")
    css = response("http://two.example/a.css", "a {}", content_type="text/css")
    two.write_bytes(two.read_bytes() + gzipped(cut, gone, gone, css))
    corpus = tmp_path / "corpus"
    for _ in range(2):
        done = scrapy("corpus", "extract-warc", folder, "--out", corpus, "--processes", 2)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            f"{corpus}: 2 of 2 archives, 5 documents and 1 reject; "
            "3 responses are no pages: http-404 2, not-html 1\n"
        )
    found = verify(corpus)
    assert (found.exit_code, found.documents, found.rejects) == (0, 5, 1)


def test_an_archive_that_is_cut_off_is_told_and_read_again_when_it_is_whole(
    tmp_path: Path,
) -> None:
    archive(tmp_path / "good.warc.gz", 2, host="good.example")
    bad = archive(tmp_path / "bad.warc.gz", 2, host="bad.example")
    whole = bad.read_bytes()
    bad.write_bytes(whole[:-20])
    (tmp_path / "none.warc.gz").write_bytes(b"")
    command = ("corpus", "extract-warc", tmp_path, "--out", tmp_path / "corpus")
    for _ in range(2):
        done = scrapy(*command)
        assert done.returncode == 3
        assert "3 of 3 archives, 3 documents and 1 reject\n" in done.stdout
        assert f"{bad}: the record has " in done.stderr
        assert f"{tmp_path}/none.warc.gz: it has no response and no text\n" in done.stderr
        assert "2 archives are cut off, damaged or without pages" in done.stderr
    bad.write_bytes(whole)
    (tmp_path / "none.warc.gz").unlink()
    before = next((tmp_path / "corpus/documents").glob("good-*")).stat().st_mtime_ns
    done = scrapy(*command)
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 of 2 archives, 4 documents and 0 rejects\n" in done.stdout
    assert next((tmp_path / "corpus/documents").glob("good-*")).stat().st_mtime_ns == before
    assert verify(tmp_path / "corpus").exit_code == 0


def test_what_has_no_url_is_named_by_its_part_and_place_and_tells_of_no_folder(
    tmp_path: Path,
) -> None:
    page = response("", html())
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rec.warc.gz").write_bytes(gzipped(page) + b"rubbish")
    scrapy("corpus", "extract-warc", tmp_path, "--out", tmp_path / "corpus")
    parts = {part_name(str(tmp_path / folder / "rec.warc.gz")) for folder in "ab"}
    assert texts(tmp_path / "corpus").keys() == {f"{part}#0" for part in parts}
    for path in (tmp_path / "corpus").glob("*/*.zst"):
        assert str(tmp_path) not in zstandard.open(path, "rt").read()


def test_an_archive_may_have_any_name(tmp_path: Path) -> None:
    source = archive(tmp_path / os.fsdecode(b"caf\xe9 [1].warc.gz"), 1)
    done = scrapy("corpus", "extract-warc", source, "--out", tmp_path / "corpus")
    assert (done.returncode, done.stderr) == (0, "")
    [shard] = shards(tmp_path / "corpus")
    [line] = shard.documents()
    assert line["metadata"]["archive"] == "caf\\xe9 [1].warc.gz"


def test_it_goes_on_where_it_was_and_takes_more_archives(tmp_path: Path) -> None:
    one = archive(tmp_path / "one.warc.gz", 2, host="one.example")
    corpus = tmp_path / "corpus"
    extract(archives([str(one)]), corpus, Choices(), ALONE)
    before = {path: path.stat().st_mtime_ns for path in (corpus / "documents").iterdir()}
    two = archive(tmp_path / "two.warc.gz", 1, host="two.example")
    assert extract(archives([str(one), str(two)]), corpus, Choices(), ALONE).documents == 3
    after = {path: path.stat().st_mtime_ns for path in (corpus / "documents").iterdir()}
    assert before.items() <= after.items()
    assert len(after) == 2


def test_an_archive_that_cannot_be_read_is_named_and_stops_no_others(tmp_path: Path) -> None:
    good = archive(tmp_path / "good.warc.gz", 1)
    bad = tmp_path / "bad.warc.gz"
    bad.symlink_to(tmp_path / "gone")
    corpus = tmp_path / "corpus"
    unknown = dict.fromkeys(map(str, (bad, good)))
    extracted = extract(unknown, corpus, Choices(), ALONE)
    assert (extracted.outcome.done, extracted.documents) == (1, 1)
    [why] = extracted.outcome.failures
    assert why == f"{bad} cannot be read: No such file or directory"
    archive(tmp_path / "gone", 1, host="late.example")
    assert extract(unknown, corpus, Choices(), ALONE).documents == 2


def test_a_report_that_cannot_be_read_is_an_error_of_the_corpus(tmp_path: Path) -> None:
    given, corpus = archives([str(archive(tmp_path / "one.warc.gz", 1))]), tmp_path / "corpus"
    extract(given, corpus, Choices(), ALONE)
    [report] = corpus.rglob("reports/*.json")
    report.unlink()
    report.mkdir()
    with pytest.raises(CorpusError, match=f"anew: .*{report.name}"):
        extract(given, corpus, Choices(), ALONE)


def test_a_job_says_what_becomes_of_pages_and_a_corpus_has_one(tmp_path: Path) -> None:
    one = archive(tmp_path / "one.warc.gz", 1)
    job = tmp_path / "job.toml"
    job.write_text(
        'name = "a"\nseeds.urls = ["http://localhost/"]\n'
        '[extraction]\nformat = "markdown"\n[filters]\nmin_words = 3\n'
    )
    corpus = tmp_path / "corpus"
    assert scrapy("corpus", "extract-warc", one, "--out", corpus, "--job", job).returncode == 0
    assert next(iter(texts(corpus).values())).startswith("# Fog signal 0")
    other = scrapy("corpus", "extract-warc", one, "--out", corpus)
    assert other.returncode == 2
    assert "was begun with other genres, extraction, filters or consent" in other.stderr


def test_the_corpus_of_a_crawl_is_not_extracted_into(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    write_corpus(corpus, [document(1)])
    one = archive(tmp_path / "one.warc.gz", 1)
    with pytest.raises(CorpusError, match="is the corpus of something else"):
        extract(archives([str(one)]), corpus, Choices(), ALONE)
    assert [path.name for path in corpus.glob("manifest-*")] == ["manifest-worker.json"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "corpus"), "give at least one archive, or --list FILE"),
        (("no-such.warc", "--out", "corpus"), "no-such.warc: there is no such file, or no archive"),
        (("docs", "--out", "corpus"), "docs: there is no such file, or no archive"),
        (("nowhere://a", "--out", "corpus"), "nowhere"),
        (("--list", "no-such", "--out", "corpus"), "--list no-such cannot be read"),
        (("README.md", "--out", "c", "--job", "no-such.toml"), "no-such.toml"),
    ],
)
def test_what_cannot_be_used_is_said(arguments: tuple[str, ...], said: str) -> None:
    done = scrapy("corpus", "extract-warc", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (ROOT / "corpus").exists()


def test_a_data_set_is_not_made_a_corpus(tmp_path: Path) -> None:
    (tmp_path / SUMMARY).write_text("{}")
    archive(tmp_path / "a.warc.gz", 1)
    done = scrapy("corpus", "extract-warc", tmp_path / "a.warc.gz", "--out", tmp_path)
    assert done.returncode == 2
    assert f"--out {tmp_path} is a data set; give a new folder, or a corpus" in done.stderr
    assert not (tmp_path / "documents").exists()


def test_addresses_are_files_folders_patterns_and_stores(tmp_path: Path) -> None:
    for name in ("a.warc.gz", "b.warc", "c.WET.GZ", "d.txt"):
        archive(tmp_path / name, 1)
    named = [str(tmp_path / name) for name in ("a.warc.gz", "b.warc", "c.WET.GZ")]
    assert [*archives([str(tmp_path)])] == named
    assert archives([f"{tmp_path}/*.warc*", named[0]]).keys() == {*named[:2]}
    (tmp_path / "link").symlink_to(tmp_path / "a.warc.gz")
    (tmp_path / "folder").mkdir()
    for spelling in ("file://{}/a.warc.gz", "{}/folder/../a.warc.gz", "{}/link"):
        assert [*archives([named[0], spelling.format(tmp_path)])] == named[:1]
    odd = archive(tmp_path / "a[1].warc", 1)
    assert archives([str(odd)]) == {str(odd): odd.stat().st_size}
    store = fsspec.filesystem("memory")
    store.pipe("/bucket/x.warc.gz", (tmp_path / "a.warc.gz").read_bytes())
    assert [*archives(["memory://bucket/*.gz"])] == ["memory:///bucket/x.warc.gz"]
    extracted = extract(archives(["memory://bucket/"]), tmp_path / "corpus", Choices(), ALONE)
    assert extracted.documents == 1


def test_an_archive_may_be_within_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with zipfile.ZipFile(tmp_path / "crawl.zip", "w") as crawl:
        crawl.write(archive(tmp_path / "a.warc.gz", 1), "in/a.warc.gz")
    monkeypatch.chdir(tmp_path)
    spellings = "zip://in/*.gz::crawl.zip", f"zip://in::{tmp_path}/crawl.zip"
    cached = f"simplecache::zip://in/*::simplecache::{(tmp_path / 'crawl.zip').as_uri()}"
    found = archives([*spellings, cached])
    assert [*found] == [f"zip://in/a.warc.gz::{tmp_path}/crawl.zip"]
    assert extract(found, tmp_path / "corpus", Choices(), ALONE).documents == 1
    [document] = [line for shard in shards(tmp_path / "corpus") for line in shard.documents()]
    assert document["metadata"]["archive"] == "zip://in/a.warc.gz::crawl.zip"


@pytest.mark.parametrize("name", ["crawl.zip", "crawl.tar"])
def test_a_file_of_archives_that_is_none_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("no archive of files")
    given = f"{name.rpartition('.')[2]}://*::{tmp_path / name}"
    with pytest.raises(ValueError, match=re.escape(given)):
        archives([given])


def test_a_full_disk_is_told_with_a_path(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, before[1]))
    try:
        with pytest.raises(OSError, match="too large") as told:
            run([], 1, logs, ALONE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert str(told.value.filename).startswith(str(logs))


def test_the_archive_of_a_crawl_gives_the_same_texts_again(tmp_path: Path) -> None:
    """Also of pages that were rendered; without the memory of sites."""
    job = (ROOT / "examples/demo.toml").read_text()
    if not has_browser():
        job = job.replace('mode = "always"', 'mode = "never"')
    file = tmp_path / "job.toml"
    with DemoSite(timings=Timings(slow=0.3, crawl_delay=0)) as site:
        file.write_text(
            job.replace("http://127.0.0.1:8000", site.base)
            + f'\n[outputs]\nfolder = "{tmp_path / "run"}"\nwarc = true\n'
            + "\n[extraction]\nsite_memory = false\n"
        )
        done = loaded_program.run("crawler", "run", str(file))
        assert done.returncode == 0, done.stderr
    crawled = texts(tmp_path / "run/corpus")
    again = tmp_path / "again"
    extracted = scrapy(
        "corpus", "extract-warc", tmp_path / "run/corpus/warc", "--out", again, "--job", file
    )
    assert extracted.returncode == 0
    found = texts(again)
    assert len(crawled) > 40
    assert {url: found[url] for url in crawled} == crawled
    # What the crawl drops as a repeated text is there, because parts do not know each other.
    assert set(found.values()) == set(crawled.values())
    made = scrapy("corpus", "build", again, "--out", tmp_path / "dataset")
    assert made.returncode == 0
    assert f"of {len(found)} documents" in made.stdout


def test_kills_lose_nothing_and_repeat_nothing(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Python leaves a folder of sockets there when it is killed.
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("kills")))
    sources = [archive(tmp_path / f"{name}.warc.gz", 20, host=f"{name}.example") for name in "abcd"]
    whole = tmp_path / "whole"
    extract(archives(map(str, sources)), whole, Choices(), Place(processes=2))
    killed = tmp_path / "killed"
    command = [sys.executable, "-m", "refinery", "extract", *sources, "--out", killed]
    chance = random.Random(1)
    for _ in range(2):
        running = subprocess.Popen(  # noqa: S603 - our own program
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(2, 5))
        running.send_signal(signal.SIGKILL)
        running.wait()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert "4 of 4 archives, 80 documents" in done.stdout
    assert content(killed) == content(whole)
