"""The tables of results in README and docs are those of the data."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.report import Report

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "docs"))
import result_tables  # noqa: E402 - a script, in no package


def test_every_page_has_the_tables_of_today() -> None:
    stale = [
        str(path.relative_to(ROOT))
        for path in result_tables.pages()
        if result_tables.filled(path.read_text(encoding="utf-8"))
        != path.read_text(encoding="utf-8")
    ]
    assert not stale, "run: python docs/result_tables.py"


def test_every_file_of_data_is_on_a_page_and_names_its_commands() -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in result_tables.pages())
    for file in sorted(result_tables.DATA.glob("*.json")):
        content = json.loads(file.read_text(encoding="utf-8"))
        for name, described in content["tables"].items():
            assert f"<!-- begin table: {file.stem}/{name} -->" in pages
            assert content.get("commands") or "view" in described


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(result_tables, "DATA", tmp_path)
    return tmp_path


def test_numbers_are_written_in_the_columns_format(data: Path) -> None:
    table = {
        "columns": ["method", "pages", "F1"],
        "formats": ["", ",d", ".3f"],
        "best": ["F1"],
        "rows": [["a", 1358, 0.88], ["b", None, 0.9]],
    }
    (data / "run.json").write_text(json.dumps({"tables": {"all": table}}))
    page = "x\n<!-- begin table: run/all -->\nold\n<!-- end table -->\ny"
    assert result_tables.filled(page) == (
        "x\n<!-- begin table: run/all -->\n"
        "| method | pages | F1 |\n| --- | ---: | ---: |\n"
        "| a | 1,358 | 0.880 |\n| b | – | **0.900** |\n<!-- end table -->\ny"
    )


def test_a_view_takes_each_row_from_the_first_source_that_has_it(data: Path) -> None:
    for name, rows in (("one", [["a", 1.0]]), ("two", [["a", 2.0], ["b", 3.0]])):
        table = {"columns": ["m", "v"], "formats": ["", ".1f"], "rows": rows}
        (data / f"{name}.json").write_text(json.dumps({"tables": {"t": table}}))
    view = {"first": "m", "rows": {"A": "a", "B": "b"}, "view": {"v": ["one/t/v", "two/t/v"]}}
    (data / "view.json").write_text(json.dumps({"tables": {"t": view}}))
    assert result_tables.table("view", "t").rows == [["A", 1.0], ["B", 3.0]]


def test_the_json_of_evaluation_is_taken_as_it_is(data: Path) -> None:
    average = {"precision": 0.5, "recall": 1.0, "f1": 0.6667, "f1_interval": [0.6, 0.7]}
    cell = {"pages": 2, "scores": {"words": average}, "timeouts": 0, "failures": 1}
    cells = {"all": {"all": {"bte": cell}}, "genre": {"forum": {"bte": cell}}}
    summary = {"methods": ["bte"], "metrics": ["words"], "pages": 2, "cells": cells}
    (data / "evaluated.json").write_text(json.dumps(summary))
    assert "| bte | **0.667** |" in result_tables.table("evaluated", "genre").markdown()
    assert "| bte | 2 | **0.667** | 0.600–0.700 |" in (
        result_tables.table("evaluated", "all").markdown()
    )


def test_the_json_of_a_benchmark_is_taken_as_it_is(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Report("parsers", ["python", "-m", "benchmarks", "parsers"])
    report.table("time", {"": "", "ms": ".1f"}, [("ours", 3.14), ("theirs", None)])
    report.write(data / "measured.json")
    printed = capsys.readouterr().out.removesuffix("\n\n") + "\n"
    assert result_tables.table("measured", "time").markdown() == printed
