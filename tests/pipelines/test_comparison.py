"""``corpus diff``: what is new, changed or gone, and ``corpus current`` on the command line."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from corpus_samples import document, write_corpus

from genre_crawler.command_line import main
from pipelines.corpus.errors import CorpusError
from pipelines.versions.comparison import Change, changes

WORDS = "It rained in the town for the whole of the week, as it does every year."


@pytest.fixture
def corpora(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old", tmp_path / "new"
    write_corpus(old, [document(number, f"{WORDS} {number}") for number in range(4)])
    later = [
        document(0, f"{WORDS} 0"),
        document(1, f"{WORDS} 1\n\n3 hours ago, 12 comments"),
        document(2, f"{WORDS} 2"),
        document(2, WORDS.replace("week", "year"), version=2),
        document(4, WORDS),
    ]
    write_corpus(new, later, [])
    return old, new


def test_what_differs_is_named_by_page(corpora: tuple[Path, Path]) -> None:
    found = sorted(changes(*corpora), key=lambda change: change.url)
    assert [(change.kind, change.url[-1], change.old, change.new) for change in found] == [
        ("changed", "2", 1, 2),
        ("gone", "3", 1, None),
        ("added", "4", None, 1),
    ]
    assert list(changes(corpora[1], corpora[1])) == []


def test_the_latest_state_of_merged_crawls_goes_by_time(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    crawl = [document(0, WORDS), document(0, f"{WORDS} It stopped.", after=60, version=2)]
    write_corpus(old, crawl, gone=[document(1, "", after=60)])
    later = [document(number, WORDS, after=120) for number in (0, 1)]
    write_corpus(new, [*crawl, *later], gone=[document(1, "", after=60)])
    found = sorted(changes(old, new), key=lambda change: change.url)
    assert [(change.kind, change.old, change.new) for change in found] == [
        ("changed", 2, 1),
        ("added", None, 1),
    ]


def test_a_page_is_one_line_without_commands_for_terminals() -> None:
    url = "https://example.com/\x1b[2J\n- https://example.com/other"
    change = Change("added", "0a", url, None, 1, "")
    assert str(change) == "+ https://example.com/[2J - https://example.com/other"


def test_what_is_no_corpus_is_refused(tmp_path: Path, corpora: tuple[Path, Path]) -> None:
    with pytest.raises(CorpusError, match="is not a corpus"):
        list(changes(corpora[0], tmp_path))


def test_the_commands_tell_it(
    corpora: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = map(str, corpora)
    assert main(["corpus", "diff", old, new]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    assert sorted(line[0] for line in lines) == ["+", "-", "~"]
    assert total == "1 added, 1 changed, 1 gone"
    assert main(["corpus", "diff", old, new, "--json"]) == 0
    told = map(orjson.loads, capsys.readouterr().out.splitlines())
    assert {one["kind"] for one in told} == {"added", "changed", "gone"}
    assert main(["corpus", "current", old, new, "--out", str(tmp_path / "current")]) == 0
    assert "5 documents; 4 earlier or repeated lines removed" in capsys.readouterr().out
