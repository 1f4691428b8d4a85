"""Statistics of a corpus."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from corpus_samples import document, write_corpus
from rich.console import Console

from crawler.outcomes import Rejection
from pipelines.corpus.errors import ShardDamagedError
from pipelines.reporting.corpus_statistics import OTHERS, as_tables, statistics


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    documents = [
        document(1, "It's a fine day.", genre="article", language="en", extractor="goce"),
        document(2, "中文 web", genre="article", language="zh", extractor="goce"),
        document(3, "", extractor="goce"),
    ]
    rejects = [(document(number, "x"), Rejection("too-short")) for number in (4, 5)]
    write_corpus(tmp_path, documents, [*rejects, (document(6), Rejection("language", "de"))])
    return tmp_path


def test_everything_is_counted(corpus: Path) -> None:
    found = statistics(corpus)
    assert (found.documents, found.shards) == (3, 1)
    assert found.characters == len("It's a fine day.") + len("中文 web")
    assert found.words == 4 + 3
    # Ideographs have three bytes: 16 + 10 in all, by four.
    assert (found.text_bytes, found.tokens) == (26, 6)
    data = found.as_data()
    assert data["tokens_estimated"] == 6
    assert data["genres"] == {"article": 2, "unsure": 1}
    assert data["languages"] == {"en": 1, "zh": 1, "unknown": 1}
    assert data["rejects"] == {"too-short": 2, "language": 1}


def test_tables_show_it_to_people(corpus: Path) -> None:
    console = Console(width=80, file=StringIO())
    with console.capture() as capture:
        console.print(as_tables(statistics(corpus)))
    shown = " ".join(capture.get().split())
    assert "documents 3" in shown
    assert "words 7 tokens, estimated at 4 bytes each 6" in shown
    assert "article 2 66.7%" in shown
    assert "too-short 2 66.7%" in shown


def test_a_shard_that_is_cut_off_is_not_counted_as_if_it_were_whole(corpus: Path) -> None:
    [shard] = (corpus / "documents").iterdir()
    shard.write_bytes(shard.read_bytes()[:-5])
    with pytest.raises(ShardDamagedError, match=r"\.zst has 0 lines, not 3$"):
        statistics(corpus)


def test_values_without_end_are_counted_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.reporting.corpus_statistics.MAX_VALUES", 5)
    write_corpus(tmp_path, [document(number, genre=f"[{number}]" * 99) for number in range(20)])
    found = statistics(tmp_path)
    assert len(found.genres) == 6
    assert found.genres[OTHERS] == 15
    assert all(len(name) <= 100 for name in found.genres)
