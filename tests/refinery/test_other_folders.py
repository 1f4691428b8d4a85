"""What is given for a corpus and is none is named, and what to do with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from dataset_samples import corpus, document, made

from crawler.frontier.sqlite.file import FILE_NAME
from genre_crawler.command_line import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One with a corpus, and a data set made of it."""
    made(tmp_path, [document(1)], "")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What standard error says of a command that refuses its arguments."""
    assert main(["corpus", *map(str, words)]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "stats {}",
        "verify {}",
        "merge new {}",
        "current {} --out new",
        "diff {} {}",
        "consent {}",
        "build {} --out new",
        "annotate {} --out new",
    ],
)
def test_a_data_set_is_named_by_all_commands(
    folder: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = told(capsys, *words.format(folder / "out", folder / "out").split())
    assert f"{folder / 'out'} " in said
    assert ": it is a data set that `corpus build` has made; report.html and README.md have" in said


def test_archives_are_to_be_extracted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = folder / "crawl/CC-1.warc.gz"
    archive.parent.mkdir()
    archive.touch()
    for given in (archive, archive.parent):
        assert f"with `corpus extract-warc {given} --out CORPUS`" in told(capsys, "stats", given)


def test_the_corpus_is_named_that_is_in_a_folder_of_jobs_or_around_one_of_shards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = (corpus(tmp_path / name / "corpus", [document(1)]) for name in ("a", "b"))
    assert f"; did you mean {one} or {other}?\n" in told(capsys, "stats", tmp_path)
    assert f"; did you mean {one}?\n" in told(capsys, "stats", one / "documents")
    shard = next((one / "documents").iterdir())
    assert f"it is a file; did you mean {one}?\n" in told(capsys, "stats", shard)


def test_a_job_without_a_corpus_is_told_from_other_folders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "it has no manifest-WRITER.json\n" in told(capsys, "stats", tmp_path)
    (tmp_path / FILE_NAME).touch()
    assert "its crawl has written no corpus yet\n" in told(capsys, "stats", tmp_path)


def test_the_report_of_a_job_is_no_page_to_label(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = corpus(tmp_path / "corpus", [document(1)])
    (tmp_path / "report.html").write_text("<p>A report")
    said = told(capsys, "annotate", tmp_path, "--out", tmp_path / "labels.jsonl")
    assert f"{tmp_path} has no pages to label: " in said
    assert f"did you mean {source}?\n" in said
