"""``corpus build``: the files of a data set, its card and report, whatever happens meanwhile."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
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
    made,
    prose,
    rows,
)
from datatrove.pipeline.readers import JsonlReader, ParquetReader
from scrapy_command import scrapy

from corpus_commons.extras import installed_version
from corpus_commons.markup.beginnings import beginning
from refinery.dataset.arrangement import validation_hosts
from refinery.dataset.build import build
from refinery.dataset.errors import RequestError
from refinery.dataset.schema import COLUMNS, SCHEMA
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


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data set of two corpora whose first documents have different empty keys."""
    folder = tmp_path_factory.mktemp("built")
    record = {"archive": "a.warc.gz", "archive_offset": 2**33, "record_id": "urn:uuid:1"}
    static = [document(n, author=None, published="2024-05-01", extra=record) for n in range(40)]
    rendered = [
        document(n, rendered=True, author="Jane Doe", genre=None, genre_scores={})
        for n in range(40, 60)
    ]
    corpora = [corpus(folder / "static", static), corpus(folder / "rendered", rendered)]
    recipe = parse_recipe(f'name = "both"\nlicence = "odc-by"\nvalidation = 0.2\n{PUBLICATION}')
    build(corpora, recipe, folder / "out", ALONE)
    return folder / "out"


def rows_by_split(out: Path) -> dict[str, list[dict[str, Any]]]:
    return {
        path.name.partition("-")[0]: pq.read_table(path).to_pylist()
        for path in (out / "data").glob("*.parquet")
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
    assert row["archive"] is None
    row = next(row for row in rows(built) if row["url"].endswith("/1"))
    assert (row["archive"], row["archive_offset"], row["record_id"]) == (
        "a.warc.gz", 2**33, "urn:uuid:1",
    )  # fmt: skip


def test_files_are_sorted_by_host_and_a_site_is_in_one_split(built: Path) -> None:
    found = rows_by_split(built)
    assert sorted(found) == ["train", "validation"]
    for table in found.values():
        assert [(row["host"], row["url"]) for row in table] == sorted(
            (row["host"], row["url"]) for row in table
        )
    train, validation = ({row["host"] for row in found[split]} for split in sorted(found))
    assert not train & validation
    assert 0 < len(found["validation"]) <= 12
    assert len(found["train"]) + len(found["validation"]) == 60


def test_a_site_keeps_its_split_when_the_corpus_grows(tmp_path: Path) -> None:
    def split(name: str, sites: int) -> dict[str, set[str]]:
        hosts = [f"{sub}site{n}.com" for n in range(sites) for sub in ("", "www.", "m.")]
        documents = [document(n, f"{n}", host) for n, host in enumerate(hosts)]
        made(tmp_path / name, documents, "", head="validation = 0.3")
        found = rows_by_split(tmp_path / name / "out")
        return {name: {row["host"] for row in table} for name, table in found.items()}

    few, many = split("few", 10), split("many", 30)
    for name, hosts in few.items():
        assert hosts == {host for host in many[name] if host in few["train"] | few["validation"]}
        assert {f"www.{host}" for host in hosts if host.startswith("site")} <= hosts
    assert 0 < len(few["validation"]) < len(many["validation"]) < len(many["train"])


@pytest.mark.parametrize(
    ("host", "chosen"), [("host2.example", {"host2.example"}), ("one.example", set())]
)
def test_a_data_set_that_gets_no_validation_says_so(
    host: str, chosen: set[str], tmp_path: Path
) -> None:
    assert validation_hosts({host, "one.example"}, 0.05) == chosen
    documents = [document(n, host=host) for n in range(2)]
    made(tmp_path, documents, "", head="validation = 0.05")
    assert [*rows_by_split(tmp_path / "out")] == ["train"]
    card = " ".join((tmp_path / "out/README.md").read_text().split())
    assert "Of 5 % of sites in `validation`, as the recipe asks, there is none here." in card


def test_datasets_loads_it_as_it_is(built: Path, tmp_path: Path) -> None:
    for folder in (built, built / "data", built / "jsonl"):
        loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path))
        assert loaded["train"].num_rows + loaded["validation"].num_rows == 60
        one = loaded["train"].features
        assert [*one] == SCHEMA.names
        assert one["author"].dtype == "string"
        assert one["published"].dtype == "string"
        assert one["fetched_at"].dtype == "timestamp[ms, tz=UTC]"


def test_datasets_takes_no_other_data_set_of_the_same_name_from_its_cache(tmp_path: Path) -> None:
    def texts(folder: Path) -> list[str]:
        loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path / "cache"))
        return list(loaded["train"]["text"])

    words = prose(1, 90)
    for name, text in (("early", words), ("late", words.swapcase())):
        made(tmp_path / name, [document(1, text)], "")
        for folder in ("out", "out/jsonl"):
            assert texts(tmp_path / name / folder) == [text]


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
        "README.md", "dataset.json", "jsonl", "provenance.json", "report.html"
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
    steps += '\n[[steps]]\nuse = "bad-words"\nwords = ["a|b", "`c`"]'
    made(tmp_path, documents, steps, head='licence = "odc-by"\nvalidation = 0')
    card = (tmp_path / "out/README.md").read_text()
    head = dict(re.findall(r"^(\w+): (.*)$", card.split("---")[1], re.M))
    assert orjson.loads(head["language"]) == ["en"]
    assert orjson.loads(head["license"]) == "odc-by"
    assert "9 documents of 7 hosts" in card
    assert '| 1. select | `{"min_words": 20}` | 10 | 1 | length 1 |' in card
    assert r'| `{"words": ["a\|b", "\u0060c\u0060"]}` | 9 | 0 |' in card, (
        "a cell of code, still JSON"
    )
    assert "| https://creativecommons.org/licenses/by/4.0/ | 9 | 100.0 % |" in card
    assert "IBANs and phone numbers\nwere masked, here in 0 places; names were not" in card
    assert all(f"| `{column.name}` |" in card for column in COLUMNS)


def test_a_data_set_says_with_what_it_was_made(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("nastyword\n")
    step = '[[steps]]\nuse = "bad-words"\nfile = "bad.txt"\n[[steps]]\nuse = "near-duplicates"'
    made(tmp_path, map(document, range(3)), step)
    content = (tmp_path / "out/provenance.json").read_bytes()
    found = orjson.loads(content)
    assert found["programs"]["datatrove"] == version("datatrove")
    assert found["recipe"]["steps"][1]["buckets"] == 14
    assert found["files"] == [
        {"step": 1, "file": "bad.txt", "sha256": sha256(b"nastyword\n").hexdigest()}
    ]
    [shards] = found["corpora"]
    assert [one["file"] for one in shards] == [
        f"documents/part-{part}-000000.jsonl.zst" for part in range(2)
    ]
    assert shards[0]["sha256"] == sha256(
        (tmp_path / "corpus" / shards[0]["file"]).read_bytes()
    ).hexdigest()  # fmt: skip
    assert str(tmp_path).encode() not in content
    card = (tmp_path / "out/README.md").read_text()
    assert f"Made by `genre-crawler` {installed_version()} of" in card


def test_the_report_shows_what_was_dropped_and_cannot_be_written_by_pages(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script> " + prose(1)
    documents = [document(1, evil, title="<b>Evil"), document(2, "<i>Short.", title="Short")]
    made(tmp_path, documents, '[[steps]]\nuse = "select"\nmin_words = 20')
    report = (tmp_path / "out/report.html").read_text()
    assert "<script" not in report
    assert "&lt;script&gt;alert(1)" in report
    assert "1. select: 1 of 2" in report
    assert "&lt;i&gt;Short." in report


def test_the_report_shows_the_first_words_of_texts_and_the_direction_of_their_script(
    tmp_path: Path,
) -> None:
    kept, dropped = prose(1, 90), "מים " * 100
    made(
        tmp_path,
        [document(1, kept), document(2, dropped, language="he")],
        '[[steps]]\nuse = "select"\nlanguages = ["en"]',
    )
    report = (tmp_path / "out/report.html").read_text()
    for text, longest in ((kept, 400), (dropped, 300)):
        assert f'<p class="text" dir="auto">{beginning(text, longest)}</p>' in report


def test_what_is_dropped_can_be_read_whole_if_that_is_asked_for(tmp_path: Path) -> None:
    source = corpus(tmp_path / "corpus", [document(1), document(2, prose(2, 90), language="de")])
    recipe = tmp_path / "r.toml"
    recipe.write_text('name = "r"\n[[steps]]\nuse = "select"\nlanguages = ["en"]\n')
    whole = prose(2, 90)
    for options, text in (((), beginning(whole, 300)), (("--keep-dropped",), whole)):
        out = tmp_path / f"out{len(options)}"
        done = scrapy("corpus", "build", source, "--recipe", recipe, "--out", out, *options)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"{out}: 1 of 2 documents" in done.stdout
        assert " words, none for validation; " in done.stdout
        [found] = JsonlReader(str(out / "dropped"))()
        assert found.text == text
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
