"""``corpus build``: the files of a data set, its card and report, whatever happens meanwhile."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import datasets
import duckdb
import mlcroissant
import orjson
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from dataset_samples import (
    ALONE,
    corpus,
    document,
    dropped,
    edited,
    made,
    numbers,
    prose,
    rows,
)
from datatrove.pipeline.readers import JsonlReader, ParquetReader
from loaded_program import ROOT
from scrapy_command import scrapy

from refinery.dataset.account import Built
from refinery.dataset.build import build
from refinery.dataset.errors import BuildError, RequestError
from refinery.dataset.schema import COLUMNS, SCHEMA
from refinery.executors import Place
from refinery.recipe import parse_recipe

pytestmark = pytest.mark.timeout(300)

PUBLICATION = """
[publication]
people = ["Jane Doe"]
organisations = ["Harbour Institute"]
date = 2026-06-01
url = "https://data.example/both"
version = "1.0.0"
citation = "Doe: Both"
"""
DEFAULT = (ROOT / "refinery/commands/default.toml").read_text()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of two corpora whose first documents have different empty keys."""
    folder = tmp_path_factory.mktemp("built")
    static = [document(n, author=None, published="2024-05-01") for n in range(40)]
    rendered = [
        document(n, rendered=True, author="Jane Doe", genre=None, genre_scores={})
        for n in range(40, 60)
    ]
    corpora = [corpus(folder / "static", static), corpus(folder / "rendered", rendered)]
    recipe = parse_recipe(f'name = "both"\nlicence = "odc-by"\nvalidation = 0.2\n{PUBLICATION}')
    build(corpora, recipe, folder / "out", ALONE)
    return folder / "out"


def content(folder: Path) -> dict[str, str]:
    """A hash of every file."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_rows_have_the_documented_columns_and_types(built: Path) -> None:
    [file] = (built / "data").glob("train-*.parquet")
    schema = pq.read_schema(file)
    assert schema.equals(SCHEMA)
    assert schema.field("words").metadata == {
        b"description": {one.name: one.meaning for one in COLUMNS}["words"].encode()
    }
    row = next(row for row in rows(built) if row["url"].endswith("/41"))
    assert (row["author"], row["genre"], row["genre_probability"]) == ("Jane Doe", None, None)
    assert row["fetched_at"] == datetime(2026, 5, 1, 12, 41, tzinfo=UTC)


def test_files_are_sorted_by_host_and_a_host_is_in_one_split(built: Path) -> None:
    found = {
        path.name.partition("-")[0]: pq.read_table(path).to_pylist()
        for path in (built / "data").glob("*.parquet")
    }
    assert sorted(found) == ["train", "validation"]
    for table in found.values():
        assert [(row["host"], row["url"]) for row in table] == sorted(
            (row["host"], row["url"]) for row in table
        )
    train, validation = ({row["host"] for row in found[split]} for split in sorted(found))
    assert not train & validation
    assert 0 < len(found["validation"]) <= 12
    assert len(found["train"]) + len(found["validation"]) == 60


def test_datasets_loads_it_as_it_is(built: Path, tmp_path: Path) -> None:
    for folder in (built, built / "data", built / "jsonl"):
        loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path))
        assert loaded["train"].num_rows + loaded["validation"].num_rows == 60
        one = loaded["train"].features
        assert [*one] == SCHEMA.names
        assert one["author"].dtype == "string"
        assert one["published"].dtype == "string"
        assert one["fetched_at"].dtype == "timestamp[ms, tz=UTC]"


def test_polars_duckdb_and_pandas_load_it_as_it_is(built: Path) -> None:
    files = f"{built}/data/*.parquet"
    frame = pl.read_parquet(files)
    assert (frame.height, frame.columns) == (60, SCHEMA.names)
    query = "SELECT count(*), count(author), min(fetched_at) FROM read_parquet(?)"
    count, authors, first = duckdb.execute(query, [files]).fetchone() or ()
    assert (count, authors) == (60, 20)
    assert first.year == 2026
    lines = duckdb.execute(
        "SELECT count(*) FROM read_json(?)", [f"{built}/jsonl/*.jsonl.zst"]
    ).fetchone()
    assert lines == (60,)
    assert pl.read_parquet(built / "data").height == 60
    table = pd.read_parquet(built / "data")
    assert table["words"].sum() == sum(row["words"] for row in rows(built))
    line = pd.read_json(next((built / "jsonl").glob("train-*")), lines=True)
    assert set(line.columns) == set(SCHEMA.names)


def test_readers_of_datatrove_load_it_as_it_is(built: Path) -> None:
    of_parquet = list(ParquetReader(str(built / "data"))())
    of_lines = list(JsonlReader(str(built / "jsonl"))())
    assert len(of_parquet) == len(of_lines) == 60
    assert of_parquet[0].text == of_lines[0].text
    assert of_lines[0].metadata["host"] == of_parquet[0].metadata["host"]


def plain(record: dict[str, Any]) -> dict[str, Any]:
    """A record of mlcroissant, by column, without the bytes that it makes of texts."""
    return {
        name.removeprefix("documents/"): value.decode() if isinstance(value, bytes) else value
        for name, value in record.items()
    }


def test_mlcroissant_finds_nothing_wrong_and_reads_the_same_rows(
    built: Path, caplog: pytest.LogCaptureFixture
) -> None:
    croissant = mlcroissant.Dataset(built / "croissant.json")
    issues = croissant.metadata.ctx.issues
    assert not issues.errors | issues.warnings
    records = [plain(record) for record in croissant.records("documents")]
    splits = [record.pop("split") for record in records]
    assert records == rows(built)
    assert splits == [
        path.name.partition("-")[0]
        for path in sorted((built / "data").glob("*.parquet"))
        for _ in range(pq.read_metadata(path).num_rows)
    ]
    assert not caplog.records


def test_mlcroissant_reads_one_split(built: Path) -> None:
    for split in ("train", "validation"):
        croissant = mlcroissant.Dataset(built / "croissant.json")
        records = croissant.records("documents", filters={"documents/split": split})
        [path] = (built / "data").glob(f"{split}-*.parquet")
        assert [plain(record)["id"] for record in records] == pq.read_table(path)["id"].to_pylist()


def test_croissant_has_every_column_and_what_the_recipe_tells(built: Path) -> None:
    found = orjson.loads((built / "croissant.json").read_bytes())
    [documents] = (one for one in found["recordSet"] if one["@id"] == "documents")
    _, *fields = documents["field"]
    assert [(field["name"], field["description"]) for field in fields] == [
        (column.name, column.meaning) for column in COLUMNS
    ]
    assert {"sc:Boolean", "sc:DateTime", "sc:Float", "sc:Integer", "sc:Text"} == {
        field["dataType"] for field in fields
    }
    assert (found["name"], found["license"]) == ("both", "https://spdx.org/licenses/ODC-By-1.0")
    assert found["creator"] == [
        {"@type": "sc:Person", "name": "Jane Doe"},
        {"@type": "sc:Organization", "name": "Harbour Institute"},
    ]
    assert (found["datePublished"], found["version"]) == ("2026-06-01", "1.0.0")
    assert (found["url"], found["citeAs"]) == ("https://data.example/both", "Doe: Both")
    assert found["temporalCoverage"] == "2026-05-01/2026-05-01"


def test_croissant_invents_nothing(tmp_path: Path) -> None:
    made(tmp_path, map(document, range(2)), "", head='formats = ["parquet"]')
    path = tmp_path / "out/croissant.json"
    unknown = {"license", "creator", "datePublished", "url", "version", "citeAs"}
    assert not unknown & orjson.loads(path.read_bytes()).keys()
    issues = mlcroissant.Dataset(path).metadata.ctx.issues
    assert not issues.errors
    assert all("is recommended, but does not exist" in warning for warning in issues.warnings)


def test_a_licence_without_an_address_is_named(tmp_path: Path) -> None:
    made(tmp_path, [document(1)], "", head='licence = "our-own"')
    found = mlcroissant.Dataset(tmp_path / "out/croissant.json").metadata
    assert [one.name for one in found.license] == ["our-own"]


def test_without_parquet_there_is_no_croissant(tmp_path: Path) -> None:
    made(tmp_path, [document(1)], "", head='formats = ["jsonl"]')
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "README.md", "dataset.json", "jsonl", "report.html"
    ]  # fmt: skip


def test_a_data_set_of_one_host_says_so(tmp_path: Path) -> None:
    made(tmp_path, [document(0)], "")
    assert "1 document of 1 host, with" in (tmp_path / "out/README.md").read_text()


def test_the_card_has_figures_sources_and_how_it_was_made(tmp_path: Path) -> None:
    documents = [
        document(n, licence="https://creativecommons.org/licenses/by/4.0/") for n in range(9)
    ]
    documents.append(document(9, "Too short."))
    steps = '[[steps]]\nuse = "select"\nmin_words = 20\n[[steps]]\nuse = "mask-personal-data"'
    made(tmp_path, documents, steps, head='licence = "odc-by"\nvalidation = 0')
    card = (tmp_path / "out/README.md").read_text()
    head = dict(re.findall(r"^(\w+): (.*)$", card.split("---")[1], re.M))
    assert orjson.loads(head["language"]) == ["en"]
    assert orjson.loads(head["license"]) == "odc-by"
    assert "9 documents of 7 hosts" in card
    assert '| 1. select | `{"min_words": 20}` | 10 | 1 | length 1 |' in card
    assert "| https://creativecommons.org/licenses/by/4.0/ | 9 | 100.0 % |" in card
    assert "IBANs and phone numbers\nwere masked, here in 0 places; names were not" in card
    assert all(f"| `{column.name}` |" in card for column in COLUMNS)


def test_the_report_shows_what_was_dropped_and_cannot_be_written_by_pages(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script> " + prose(1)
    documents = [document(1, evil, title="<b>Evil"), document(2, "<i>Short.", title="Short")]
    made(tmp_path, documents, '[[steps]]\nuse = "select"\nmin_words = 20')
    report = (tmp_path / "out/report.html").read_text()
    assert "<script" not in report
    assert "&lt;script&gt;alert(1)" in report
    assert "1. select: 1 of 2" in report
    assert "&lt;i&gt;Short." in report


def test_what_is_dropped_can_be_read_whole_if_that_is_asked_for(tmp_path: Path) -> None:
    source = corpus(tmp_path / "corpus", [document(1), document(2, prose(2, 90), language="de")])
    recipe = tmp_path / "r.toml"
    recipe.write_text('name = "r"\n[[steps]]\nuse = "select"\nlanguages = ["en"]\n')
    for options, length in (((), 300), (("--keep-dropped",), len(prose(2, 90)))):
        out = tmp_path / f"out{len(options)}"
        done = scrapy("corpus", "build", source, "--recipe", recipe, "--out", out, *options)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"{out}: 1 of 2 documents" in done.stdout
        [found] = JsonlReader(str(out / "dropped"))()
        assert len(found.text) == length
        assert found.metadata["dropped_reason"] == "language"


def test_a_damaged_corpus_is_told_from_wrong_arguments(tmp_path: Path) -> None:
    source = corpus(tmp_path / "corpus", map(document, range(3)))
    recipe = tmp_path / "r.toml"
    recipe.write_text('name = "r"\n[[steps]]\nuse = "selct"\n')
    wrong = scrapy("corpus", "build", source, "--recipe", recipe, "--out", tmp_path / "out")
    assert wrong.returncode == 2
    assert f'{recipe}:3: steps[0].use is "selct", which is no step' in wrong.stderr
    none = scrapy("corpus", "build", tmp_path, "--out", tmp_path / "out")
    assert none.returncode == 2
    assert "is not a corpus" in none.stderr
    exists = scrapy("corpus", "build", source, "--out", source)
    assert exists.returncode == 2
    assert "already exists; give a new folder" in exists.stderr
    shard = next((source / "documents").iterdir())
    shard.write_bytes(shard.read_bytes()[:-1])
    damaged = scrapy("corpus", "build", source, "--out", tmp_path / "out")
    assert damaged.returncode == 3
    assert str(shard) in damaged.stderr
    assert not (tmp_path / "out").exists()


def test_a_recipe_that_keeps_nothing_names_the_step(tmp_path: Path) -> None:
    with pytest.raises(
        RequestError, match=r"step 1, select, dropped the last 2, 2 of them for genre"
    ):
        made(tmp_path, map(document, range(2)), '[[steps]]\nuse = "select"\ngenres = ["list-view"]')

    assert not [*tmp_path.glob("out*")], "a corrected recipe begins anew"


def test_work_is_not_continued_with_another_recipe(tmp_path: Path) -> None:
    in_the_way = tmp_path / "out.partial/README.md"
    in_the_way.mkdir(parents=True)
    with pytest.raises(BuildError, match="cannot write"):
        made(tmp_path, map(document, range(2)), "")
    recipe = parse_recipe('name = "other"')
    with pytest.raises(RequestError, match="was begun with another recipe"):
        build([tmp_path / "corpus"], recipe, tmp_path / "out", ALONE)


def sample(folder: Path) -> Path:
    """A corpus with work for every step of the default recipe."""
    chance = random.Random(3)
    documents = [
        document(n, prose(n, 24) + "\n\nAll rights reserved, as always.") for n in range(90)
    ]
    documents += [document(90 + n, prose(n, 24)) for n in range(10)]
    documents += [document(100 + n, edited(prose(n + 10, 24), 0.01, chance)) for n in range(20)]
    documents += [document(120 + n, f"{prose(n)}\n\n" * 3) for n in range(5)]
    return corpus(folder, documents, parts=5)


def test_files_are_of_one_size_whatever_hosts_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refinery.dataset.build._FILE_BYTES", 4_000)
    documents = [document(n, host="one.example") for n in range(80)]
    documents += [document(n) for n in range(80, 150)]
    made(tmp_path, documents, "", head="validation = 0.5")
    splits: dict[str, list[list[dict[str, Any]]]] = {"train": [], "validation": []}
    for path in sorted((tmp_path / "out/data").iterdir()):
        splits[path.name.partition("-")[0]].append(pq.read_table(path).to_pylist())
    for files in splits.values():
        lengths = [len(file) for file in files]
        assert len(lengths) > 3
        assert max(lengths) < 2 * sum(lengths) / len(lengths)
        for file in files:
            assert file == sorted(file, key=lambda row: (row["host"], row["url"]))
    train, validation = (
        {row["host"] for file in splits[split] for row in file} for split in sorted(splits)
    )
    assert train == {"one.example"}
    assert len(validation) == 7
    assert numbers(tmp_path / "out") == list(range(150))


def test_the_number_of_processes_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refinery.dataset.build._FILE_BYTES", 10_000)
    source, recipe = sample(tmp_path / "corpus"), parse_recipe(DEFAULT)
    build([source], recipe, tmp_path / "one", ALONE)
    build([source], recipe, tmp_path / "three", Place(processes=3))
    assert content(tmp_path / "one") == content(tmp_path / "three")
    assert len(list((tmp_path / "one/data").iterdir())) > 2
    reasons = Counter(dropped(tmp_path / "one").values())
    assert {"near-duplicate", "dup-para-frac"} <= reasons.keys()


def test_of_many_copies_of_a_page_the_default_recipe_keeps_one(tmp_path: Path) -> None:
    copies = [document(n, f"{prose(1, 30)}\n\nCopy {n}.", host="one.example") for n in range(6)]
    build([corpus(tmp_path / "c", copies)], parse_recipe(DEFAULT), tmp_path / "out", ALONE)
    assert Counter(dropped(tmp_path / "out").values()) == {"near-duplicate": 5}


def test_a_full_disk_is_a_clear_error_and_the_work_goes_on(tmp_path: Path) -> None:
    source, recipe = sample(tmp_path / "corpus"), parse_recipe(DEFAULT)
    pid = os.fork()
    if not pid:  # A process that may write small files only.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))
        try:
            build([source], recipe, tmp_path / "out", ALONE)
        except BuildError as error:
            os._exit(0 if "File too large" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert not (tmp_path / "out").exists()
    build([source], recipe, tmp_path / "out", ALONE)
    build([source], recipe, tmp_path / "whole", ALONE)
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_kills_at_any_moment_end_in_the_same_data_set(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Python leaves a folder of sockets there when it is killed.
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("kills")))
    source = sample(tmp_path / "corpus")
    build([source], parse_recipe(DEFAULT), tmp_path / "whole", ALONE)
    out = tmp_path / "killed"
    command = [sys.executable, "-m", "refinery", "build", source, "--out", out, "--processes", "2"]
    chance = random.Random(4)
    kills = 0
    while kills < 3:
        running = subprocess.Popen(  # noqa: S603 - our own program
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0.5, 2.5))
        if running.poll() is not None:
            break
        running.send_signal(signal.SIGKILL)
        running.wait()
        kills += 1
    assert kills
    if not out.exists():
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603
    assert content(out) == content(tmp_path / "whole")
    assert Built.read(out / "dataset.json").whole.documents == len(numbers(out))
