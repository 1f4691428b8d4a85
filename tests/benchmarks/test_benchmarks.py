"""Every benchmark has help, and writes what it prints as JSON; the others are run manually."""

from __future__ import annotations

import argparse
import json
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.__main__ import BENCHMARKS
from benchmarks.report import Report


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_has_help(name: str) -> None:
    benchmark = import_module(BENCHMARKS[name])
    parser = argparse.ArgumentParser(description=benchmark.SUMMARY)
    benchmark.add_arguments(parser)
    assert benchmark.SUMMARY in " ".join(parser.format_help().split())
    assert callable(benchmark.run)


def test_a_table_is_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("parsers", ("python", "-m", "benchmarks", "parsers", "--data", "a b"))
    columns = {"parser": "", "ms": ".1f", "failures": ",d", "answers": ">"}
    rows = [("lexbor", 1.25, 1234, "1 / 2"), ("other", None, 0, None)]
    report.table("time", columns, rows)
    assert capsys.readouterr().out == (
        "| parser | ms | failures | answers |\n"
        "| --- | ---: | ---: | ---: |\n"
        "| lexbor | 1.2 | 1,234 | 1 / 2 |\n"
        "| other | – | 0 | – |\n\n"
    )
    report.write(tmp_path / "parsers.json")
    written = json.loads((tmp_path / "parsers.json").read_text())
    assert written["commands"] == ["python -m benchmarks parsers --data 'a b'"]
    assert set(written["machine"]) == {"processor", "cores", "memory_gb", "system", "python"}
    assert written["tables"]["time"] == {
        "columns": list(columns),
        "formats": list(columns.values()),
        "rows": [list(row) for row in rows],
    }
