"""``corpus forget``: nothing of a page is left, and it does not come back."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson
import pytest
from corpus_samples import document, page, plain_lines, unheard, write_corpus
from held_samples import row
from run_samples import summary
from warcio.archiveiterator import ArchiveIterator

from corpus_commons.durable_files import make_folder
from crawler.discovery.block_list import BLOCK_LIST, BlockList
from crawler.outcomes import Rejection
from genre_crawler.command_line import main
from pipelines.corpus.errors import CorpusError, CorpusInUseError, DamagedError
from pipelines.corpus.folder import shards
from pipelines.corpus.held_files import held_files
from pipelines.corpus.held_pages import HeldPages
from pipelines.corpus.layout import FORGOTTEN, JOURNAL, Layout
from pipelines.corpus.locks import hold_lock
from pipelines.corpus.verification import verify
from pipelines.corpus.warc import WarcSeries
from pipelines.corpus.writer import CorpusWriter
from pipelines.filters.duplicate_text import TEXTS, DuplicateText
from pipelines.forgetting.corpus import forget
from pipelines.forgetting.record import Record
from pipelines.forgetting.reports import report_files
from pipelines.forgetting.wanted import Wanted
from pipelines.reporting.report import report_html
from pipelines.reporting.sample_pages import PageSample

AT = "2026-06-01T00:00:00.000Z"
URL = "https://example.com/1"
PRIVATE = "the private text of page 1"
PRIVATE_PAGE = f"<p>{PRIVATE}".encode()


def write(corpus: Path, *, name: str = "worker") -> Path:
    """A corpus with traces of page 1 wherever there may be some, beside those of others."""
    first = [document(number, PRIVATE if number == 1 else None) for number in range(4)]
    rejects = [(document(number, PRIVATE), Rejection("too-short")) for number in (1, 5)]
    write_corpus(corpus, first, rejects[:1], name=name, frame_documents=2)
    write_corpus(corpus, [document(1, PRIVATE, version=2)], name=name)
    layout = Layout(corpus, name)
    warc = WarcSeries(layout)
    for number in range(3):
        warc.write(page(number, PRIVATE_PAGE if number == 1 else b"<p>Other"))
    warc.complete()
    with closing(DuplicateText(layout.state / TEXTS)) as texts:
        texts.remember(first)
    with closing(HeldPages(layout.held)) as held:
        held.settle([row(1), row(2)], {})
    for number in (1, 2):
        picture = corpus / f"screenshots/{document(number).id[:2]}/{document(number).id}-2.jpg"
        make_folder(picture.parent)
        picture.write_bytes(PRIVATE.encode())
    sample = PageSample()
    for number in (1, 2):
        sample.add(document(number, PRIVATE if number == 1 else None), None, None)
    sample.add(document(1, PRIVATE), Rejection("too-short"), None)
    html = report_html(summary(documents=2, rejects=1), sample)
    for path in (corpus.parent / "report.html", corpus.parent / "reports" / "first.html"):
        make_folder(path.parent)
        path.write_text(html)
    return corpus


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("written") / "job" / "corpus")


@pytest.fixture
def corpus(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written.parent, tmp_path / "job")) / "corpus"


def ids(corpus: Path, kind: str = "documents") -> list[str]:
    return [
        orjson.loads(line)["id"]
        for shard in shards(corpus)
        if shard.kind == kind
        for line in plain_lines(shard.path)
    ]


def texts_known(corpus: Path) -> int:
    with closing(sqlite3.connect(corpus / ".state/worker" / TEXTS)) as db:
        return int(db.execute("SELECT count(*) FROM first_documents").fetchone()[0])


def traces(corpus: Path) -> list[str]:
    """Where page 1 still is."""
    name = document(1).id
    archived = []
    for path in (corpus / "warc").iterdir():
        with path.open("rb") as file:
            headers = [record.rec_headers for record in ArchiveIterator(file)]
        archived += [header.get_header("WARC-Target-URI") for header in headers]
    held = [line for file in held_files(corpus) for line in file.lines()]
    return [
        *(kind for kind in ("documents", "rejects") if name in ids(corpus, kind)),
        *(["held"] if any(orjson.loads(line)["id"] == name for line in held) else []),
        *(["warc"] if URL in archived else []),
        *(["screenshots"] if list(corpus.glob(f"screenshots/*/{name}*")) else []),
        *(path.name for path in report_files(corpus.parent) if name in path.read_text()),
    ]


def run(corpus: Path, wanted: Wanted | None = None) -> Record:
    record = Record(AT)
    forget(corpus, wanted or Wanted.of([URL]), record)
    return record


def test_a_page_is_gone_from_everywhere(corpus: Path) -> None:
    record = run(corpus)
    assert record.counts == {
        "documents": 2, "rejects": 1, "held": 1, "warc": 1, "screenshots": 1, "reports": 4
    }  # fmt: skip
    assert traces(corpus) == []
    assert texts_known(corpus) == 3
    assert ids(corpus) == [document(number).id for number in (0, 2, 3)]
    assert verify(corpus).damage == 0
    assert verify(corpus).held == 1
    assert [path.name for path in corpus.parent.rglob(".forget*")] == []


def test_the_other_pages_of_a_report_stay(corpus: Path) -> None:
    report = corpus.parent / "report.html"
    assert report.read_text().count("<article") == 3
    run(corpus)
    left = report.read_text()
    assert left.count("<article") == left.count("</article>") == left.count(document(2).id) == 1
    assert left.endswith("</html>")


def test_nothing_of_it_can_be_read_from_the_disk(corpus: Path) -> None:
    assert any(PRIVATE.encode() in path.read_bytes() for path in files(corpus))
    run(corpus)
    assert not [path for path in files(corpus) if PRIVATE.encode() in path.read_bytes()
                and document(2).id not in path.name]  # fmt: skip


def files(corpus: Path) -> Iterator[Path]:
    return (path for path in corpus.parent.rglob("*") if path.is_file())


def test_the_record_has_digests_only(corpus: Path) -> None:
    run(corpus)
    content = (corpus / FORGOTTEN).read_text()
    assert URL not in content
    assert PRIVATE not in content
    assert document(1).id in content
    record = Record(AT, keep_urls=True)
    forget(corpus, Wanted.of(["https://example.com/2"]), record)
    later = (corpus / FORGOTTEN).read_text()
    assert later.startswith(content)
    assert "https://example.com/2" in later


def test_a_host_is_forgotten_with_all_its_pages(corpus: Path) -> None:
    run(corpus, Wanted.of(hosts=["Example.com"]))
    assert ids(corpus) == ids(corpus, "rejects") == []
    assert verify(corpus).damage == 0
    assert BlockList.read(corpus.parent).blocks("https://example.com/any")
    # Numbers of shards are not used again.
    write_corpus(corpus, [document(9)])
    assert sorted(path.name for path in (corpus / "documents").iterdir())[-1].startswith(
        "worker-000002"
    )


def test_it_does_not_come_back(corpus: Path) -> None:
    run(corpus)
    blocked = BlockList.read(corpus.parent)
    assert blocked.blocks("https://EXAMPLE.com/1?utm_source=x")
    assert not blocked.blocks("https://example.com/2")
    assert URL not in (corpus.parent / BLOCK_LIST).read_text()


def test_an_open_shard_of_a_killed_worker_is_no_hiding_place(corpus: Path) -> None:
    async def killed() -> None:
        writer = CorpusWriter(corpus, "killed", acknowledge, on_failure=unheard)
        await writer.__aenter__()
        await writer.add(document(1, PRIVATE, version=3), ack=1)
        await writer.flush()
        writer._task.cancel()
        for series in writer._series.values():
            series.abandon()

    async def acknowledge(_: object) -> None:
        """Nobody leased it."""

    asyncio.run(killed())
    # The kernel would have released the lock of a process that is gone.
    Layout(corpus, "killed").lock.unlink()
    assert list((corpus / "documents").glob("*.open"))
    run(corpus)
    assert traces(corpus) == []


def test_a_corpus_whose_worker_runs_is_left_alone(corpus: Path) -> None:
    lock = hold_lock(Layout(corpus, "worker"))
    with lock, pytest.raises(CorpusInUseError, match="stop its crawl first"):
        run(corpus)
    assert len(ids(corpus)) == 5


class Killed(BaseException):
    """The process is gone."""


def test_whenever_it_is_killed_all_is_there_or_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    for step in range(100):
        copy = Path(shutil.copytree(corpus.parent, tmp_path / str(step) / "job")) / "corpus"
        with monkeypatch.context() as patch:
            left = iter(range(step))
            for name in ("replace", "unlink"):
                patch.setattr(Path, name, dying(getattr(Path, name), left))
            try:
                run(copy)
            except Killed:
                pass
            else:
                break
        if (copy / JOURNAL).exists():
            for use in (traces, lambda folder: write_corpus(folder, [document(7)], name="another")):
                with pytest.raises(CorpusError, match="are being removed"):
                    use(copy)
            seen.add("refused")
        else:
            assert traces(copy) == traces(corpus)
            assert verify(copy).damage == 0
            seen.add("as before")
        run(copy)
        assert traces(copy) == []
        assert verify(copy).damage == 0
        lines = (copy / FORGOTTEN).read_text().splitlines()
        assert len(lines) == 10
    assert seen == {"as before", "refused"}


def dying(real: object, left: Iterator[int]) -> object:
    def call(*arguments: object, **options: object) -> object:
        if next(left, None) is None:
            raise Killed
        return real(*arguments, **options)  # type: ignore[operator]

    return call


def test_a_journal_that_names_other_files_is_refused(corpus: Path) -> None:
    other = corpus.parent / "other"
    other.touch()
    (corpus / JOURNAL).write_text('{"replaced": {}, "removed": ["documents/../../other"]}')
    with pytest.raises(DamagedError, match="not a journal"):
        run(corpus)
    assert other.exists()


def test_ids_of_others_make_no_paths(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    write_corpus(corpus, [replace(document(1), id="../../x")])
    run(corpus)
    assert ids(corpus) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "give a URL, a host or an id"),
        (["--url", "nonsense"], "'nonsense' cannot be used as a URL"),
        (["--id", "12"], "'12' is no id, which has 32 hexadecimal digits"),
        (["--host", "a b"], "'a b' is no name of a host"),
        (["--host", "example.com/1"], "of a page, give the whole URL"),
        (["--file", "/no/such/file"], "--file /no/such/file cannot be read: No such file"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    corpus: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["corpus", "forget", str(corpus), *options]) == 2
    assert message in capsys.readouterr().err


def test_a_mistake_in_a_list_is_told_with_its_place_and_nothing_is_removed(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed, before = corpus.parent / "list.txt", ids(corpus)
    mistyped = document(1).id.upper(), document(1).id[:-1]
    listed.write_text("\n".join(["# by mail", f"{URL} # him", *mistyped, "a/b", f"{URL}, {URL}"]))
    assert main(["corpus", "forget", str(corpus), "--file", str(listed)]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(f"{listed}:")[2].partition(" which")[0] for line in told] == [
        *(f"{place}: {name!r} is no id," for place, name in enumerate(mistyped, 3)),
        "5: 'a/b' is no name of a host, such as www.example.org; of a page, give the whole URL",
        f"6: '{URL},' is followed by more; give one in each line",
    ]
    assert ids(corpus) == before


def test_the_command_tells_what_it_removed(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = corpus.parent / "list.txt"
    listed.write_text(f"# by mail\n{document(2).id}\n\nwww.example.net\n")
    assert main(["corpus", "forget", str(corpus), "--url", URL, "--file", str(listed)]) == 0
    told = capsys.readouterr().out
    assert (
        "3 documents, 1 reject, 2 held pages, 2 WARC records, 2 screenshots, 6 samples of reports"
        in told
    )
    assert "blocked, and not fetched again" in told
    assert main(["corpus", "forget", str(corpus), "--url", URL]) == 0
    assert "nothing was found" in capsys.readouterr().out


@pytest.mark.parametrize("given", [".", "../../latest"])
def test_a_corpus_is_its_jobs_by_whatever_name_it_is_given(
    corpus: Path, given: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus.parent.parent / "latest").symlink_to(corpus)
    monkeypatch.chdir(corpus)
    assert main(["corpus", "forget", given, "--url", URL]) == 0
    assert f"{corpus.parent}: blocked, and not fetched again" in capsys.readouterr().out
    assert traces(corpus) == []
    assert BlockList.read(corpus.parent).blocks(URL)


@pytest.fixture
def other_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder that is not on the disk of ``tmp_path``."""
    others = (Path("/dev/shm"), Path("/var/tmp"))  # noqa: S108
    disks = [disk for disk in others if disk.stat().st_dev != tmp_path.stat().st_dev]
    if not disks:
        pytest.skip("there is no other disk")
    with TemporaryDirectory(dir=disks[0]) as folder:
        yield Path(folder)


def test_a_corpus_that_was_moved_to_another_disk_behind_a_link_is_still_its_jobs(
    corpus: Path, other_disk: Path
) -> None:
    corpus.symlink_to(shutil.move(corpus, other_disk / "moved"))
    assert main(["corpus", "forget", str(corpus), "--url", URL]) == 0
    assert traces(corpus) == []
    assert BlockList.read(corpus.parent).blocks(URL)
