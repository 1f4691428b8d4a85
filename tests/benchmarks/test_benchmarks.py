"""Every benchmark has help, and writes what it prints as JSON; the others are run manually."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import extraction
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.report import Report
from corpus_commons.terminal.command_error import EXIT_FAILED
from corpus_commons.terminal.commands import EXIT_USAGE


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_has_help(name: str) -> None:
    benchmark = import_module(BENCHMARKS[name])
    parser = argparse.ArgumentParser(description=benchmark.SUMMARY)
    benchmark.add_arguments(parser)
    assert benchmark.SUMMARY in " ".join(parser.format_help().split())
    assert callable(benchmark.run)


@pytest.fixture
def own_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Takes back what a benchmark sets for its process."""
    for name in ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"):
        monkeypatch.setenv(name, "1")
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.usefixtures("own_process")
@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("extraction --data {}/none.jsonl", "{}/none.jsonl: No such file or directory"),
        ("extraction --data {}/empty.jsonl", "{}/empty.jsonl: no pages"),
        (
            "extraction --data {}/a.jsonl --methods x",
            "the method x cannot be loaded: unknown extraction",
        ),
        ("comments --data {}/a.jsonl --method x", "unknown extraction method 'x'; it must be"),
        ("comments --data {}/a.jsonl --method readability", "--method: readability is a library"),
        ("fidelity --data {}/a.jsonl --methods bte", "unknown peer 'bte'; it must be one of"),
        ("parsers --data {}/a.jsonl --parsers x", "unknown parser 'x'; it must be one of lxml"),
        ("structures --manuals x", "unknown manual 'x'; it must be one of"),
        ("labelling --data {}/a.jsonl --labels 1", "--labels 1: {}/a.jsonl has 1 page to choose"),
        ("metadata --data {}/a.jsonl --sites first", "--sites first: {}/a.jsonl has no page of"),
        ("tree-construction --tests {}", "--tests {} has no .dat files"),
    ],
)
def test_what_cannot_be_measured_is_told_before_the_work(
    tmp_path: Path,
    command: str,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    page = {"id": "1", "html": "<p>a", "gold_text": "a"}
    (tmp_path / "a.jsonl").write_text(json.dumps(page))
    (tmp_path / "empty.jsonl").touch()
    words = command.format(tmp_path).split()
    monkeypatch.setattr(sys, "argv", ["benchmarks", *words])
    assert main() == EXIT_USAGE
    told = f"python -m benchmarks {words[0]}: {why.format(tmp_path)}"
    assert capsys.readouterr().err.startswith(told)


def test_a_number_of_pages_or_rounds_is_at_least_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--limit", "--rounds"):
        command = ["benchmarks", "extraction", "--data", "a.jsonl", option, "0"]
        monkeypatch.setattr(sys, "argv", command)
        with pytest.raises(SystemExit, match="2"):
            main()
        assert f"argument {option}: must be at least 1" in capsys.readouterr().err


def test_caches_of_ours_are_told_with_how_often_they_had_the_answer() -> None:
    def made() -> Callable[[int], int]:
        asked = lru_cache(maxsize=8)(lambda number: number)
        asked.__module__, asked.__qualname__ = "extraction.made", "asked"
        return asked

    one, other, _unasked = made(), made(), made()
    for cached in (one, one, one, other):
        cached(1)
    rows = [row for row in extraction._caches() if row[0] == "extraction.made.asked"]
    assert rows == [["extraction.made.asked", 0.5, 2, 16]]


@pytest.mark.parametrize("name", ["goce-readings", "parsers"])
def test_what_no_page_tells_is_a_dash(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "a.jsonl"
    data.write_text(json.dumps({"id": "1", "html": "<p>a", "gold_text": ""}))
    monkeypatch.setattr(sys, "argv", ["benchmarks", name, "--data", str(data)])
    assert main() == 0
    assert " – |" in capsys.readouterr().out


def test_a_full_standard_output_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = {"id": "1", "html": "<p>a", "gold_text": "a"}
    (tmp_path / "a.jsonl").write_text(json.dumps(page))
    monkeypatch.setattr(sys, "argv", ["benchmarks", "parsers", "--data", str(tmp_path / "a.jsonl")])
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main() == EXIT_FAILED
    told = "python -m benchmarks parsers: standard output: No space left on device\n"
    assert capsys.readouterr().err.endswith(told)


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
