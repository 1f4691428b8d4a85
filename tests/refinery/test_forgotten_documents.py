"""A data set from which documents are removed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import mlcroissant
import orjson
import pytest
import zstandard
from dataset_samples import BEGIN, document, dropped, made, numbers, rows

from corpus_commons.file_lock import FileLock
from crawler.items import document_id, timestamp
from genre_crawler.command_line import main
from pipelines.forgetting.record import Record
from pipelines.forgetting.wanted import Wanted
from refinery.dataset.account import Built
from refinery.dataset.errors import BuildError
from refinery.dataset.forgetting import forget
from refinery.dataset.schema import SCHEMA

LOCK = ".forget.lock"
STEPS = '[[steps]]\nuse = "select"\nlanguages = ["en"]\n'
HEAD = """
validation = 0.2
formats = ["parquet", "jsonl"]
publication.version = "1.0.0"
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    made(folder, [document(n, language="de" if n > 27 else "en") for n in range(30)], STEPS,
         head=HEAD)  # fmt: skip
    return folder / "out"


@pytest.fixture
def dataset(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "data-set"))


def run(dataset: Path, wanted: Wanted) -> Record:
    record = Record("2026-06-01T00:00:00.000Z")
    forget(dataset, wanted, record)
    return record


def url(number: int) -> str:
    return document(number).url


def fetched_at(number: int) -> str:
    return timestamp(BEGIN + timedelta(minutes=number))


def jsonl(dataset: Path) -> Iterable[int]:
    for path in (dataset / "jsonl").glob("*.zst"):
        with zstandard.open(path, "rt") as lines:
            yield from (int(orjson.loads(line)["url"].rpartition("/")[2]) for line in lines)


def test_documents_are_gone_from_all_files(dataset: Path) -> None:
    before = Built.read(dataset / "dataset.json").whole.digest
    record = run(dataset, Wanted.of([url(3), url(4), url(28)]))
    assert record.counts == {"data set": 2, "dropped": 1}
    left = [n for n in range(28) if n not in (3, 4)]
    assert numbers(dataset) == sorted(jsonl(dataset)) == left
    assert sorted(dropped(dataset)) == [29]
    found = Built.read(dataset / "dataset.json")
    assert (found.whole.documents, found.forgotten) == (26, 2)
    assert found.whole.digest != before
    texts = [path.read_text() for path in dataset.glob("*.*") if path.is_file()]
    assert not [text for text in texts if url(3) in text or url(28) in text]
    for name in ("README.md", "croissant.json"):
        assert "2 documents were removed after it was made" in (dataset / name).read_text()
    lines = map(orjson.loads, (dataset / "forgotten.jsonl").read_bytes().splitlines())
    assert {line["fetched_at"] for line in lines} == {fetched_at(3), fetched_at(4), fetched_at(28)}


@pytest.mark.parametrize(
    "wanted",
    [
        Wanted.of(urls=["https://old.example/1"]),
        Wanted.of(urls=["https://new.example/1"]),
        Wanted.of(hosts=["old.example"]),
        Wanted.of(ids=[document_id("https://old.example/1")]),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_page_behind_a_redirect_is_known_by_both_addresses(
    language: str, wanted: Wanted, tmp_path: Path
) -> None:
    hidden = "Jane Doe of Harbour Lane, whom nobody should find here."
    page = document(1, hidden, "new.example", requested_url="https://old.example/1",
                    language=language)  # fmt: skip
    made(tmp_path, [page, document(2), document(3, language="de")], STEPS, head="validation = 0")
    out = tmp_path / "out"
    told = b"".join(path.read_bytes() for path in out.glob("*.*") if path.is_file())
    assert hidden.encode() in told
    assert sum(run(out, wanted).counts.values()) == 1
    assert numbers(out) == [2]
    assert sorted(dropped(out)) == [3]
    told = b"".join(path.read_bytes() for path in out.glob("*.*") if path.is_file())
    assert hidden.encode() not in told


def test_types_and_order_stay(dataset: Path) -> None:
    before = rows(dataset)
    run(dataset, Wanted.of([url(3)]))
    assert rows(dataset) == [row for row in before if row["url"] != url(3)]
    import pyarrow.parquet as pq  # noqa: PLC0415

    for path in (dataset / "data").glob("*.parquet"):
        assert pq.read_schema(path).equals(SCHEMA)


def test_a_host_may_be_all_of_a_split(dataset: Path) -> None:
    hosts = {row["host"] for row in rows(dataset)}
    run(dataset, Wanted.of(hosts=sorted(hosts)[1:]))
    assert {row["host"] for row in rows(dataset)} == {sorted(hosts)[0]}
    assert len(Built.read(dataset / "dataset.json").splits) == 1


def test_croissant_follows(dataset: Path) -> None:
    path = dataset / "croissant.json"
    assert orjson.loads(path.read_bytes())["version"] == "1.0.0"
    hosts = sorted({row["host"] for row in rows(dataset)})
    run(dataset, Wanted.of(hosts=hosts[1:]))
    croissant = mlcroissant.Dataset(path)
    records = list(croissant.records("documents"))
    assert [record["documents/id"].decode() for record in records] == [
        row["id"] for row in rows(dataset)
    ]
    assert croissant.metadata.version is None
    assert len(list(croissant.records("splits"))) == 1
    run(dataset, Wanted.of(hosts=hosts))
    assert mlcroissant.Dataset(path).metadata.description.startswith("0 documents of 0 hosts")


def test_a_data_set_from_before_there_was_croissant_gets_it(dataset: Path) -> None:
    (dataset / "croissant.json").unlink()
    summary = orjson.loads((dataset / "dataset.json").read_bytes())
    del summary["recipe"]["publication"]
    (dataset / "dataset.json").write_bytes(orjson.dumps(summary))
    run(dataset, Wanted.of([url(3)]))
    assert len(list(mlcroissant.Dataset(dataset / "croissant.json").records("documents"))) == 27


def test_what_is_not_there_changes_nothing(dataset: Path) -> None:
    before = {path: path.read_bytes() for path in dataset.rglob("*") if path.is_file()}
    assert not run(dataset, Wanted.of(["https://example.org/"])).counts
    assert {path: path.read_bytes() for path in dataset.rglob("*") if path.is_file()} == before


def test_two_at_once_are_refused(dataset: Path) -> None:
    with FileLock(dataset / LOCK), pytest.raises(BuildError, match="by another process"):
        run(dataset, Wanted.of([url(3)]))


def test_one_command_does_a_corpus_and_its_data_set(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(built.parent, tmp_path / "both"))
    corpus, dataset = str(folder / "corpus"), str(folder / "out")
    assert main(["corpus", "forget", corpus, dataset, "--url", url(3), "--json"]) == 0
    told = orjson.loads(capsys.readouterr().out)
    assert told["removed"] == {corpus: {"documents": 1}, dataset: {"data set": 1}}


def test_the_command_says_which_data_set_could_not_be_changed(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FileLock(dataset / LOCK):
        assert main(["corpus", "forget", str(dataset), "--url", url(3)]) == 1
    assert f"being removed from {dataset} by another process" in capsys.readouterr().err
    assert len(numbers(dataset)) == 28


@pytest.mark.parametrize("content", [b"", b"{}", b'{"recipe": {}, "steps": [{}], "splits": {}}'])
def test_the_command_refuses_a_data_set_whose_summary_is_damaged(
    content: bytes, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (dataset / "dataset.json").write_bytes(content)
    assert main(["corpus", "forget", str(dataset), "--url", url(3)]) == 1
    assert f"cannot remove documents from {dataset}: " in capsys.readouterr().err
    assert len(numbers(dataset)) == 28


def test_the_command_tells_what_it_removed_from_a_data_set(
    dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["corpus", "forget", str(dataset), "--url", url(3)]
    assert [main(command), main(command)] == [0, 0]
    assert capsys.readouterr().out.splitlines() == [
        f"{dataset}: 1 row of the data set", f"{dataset}: nothing was found"
    ]  # fmt: skip
