"""The recipes of CONTRIBUTING.md, followed to the letter: a module, and a line in a table.

Filters, outputs and reasons of rejects are in tests/pipelines/test_additions.py.
"""

from __future__ import annotations

import ast
import asyncio
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

import benchmarks.__main__ as benchmarks
from crawler.frontier import opening
from evaluation import datasets, metrics
from extraction import extract, registry
from genre_crawler import command_line
from settings import parse_job

PAGE = Path(__file__).parents[2] / "CONTRIBUTING.md"
LONGEST = "It rained for two days, and then it stopped."
HTML = f"<title>T</title><nav><a href=/>Home</a></nav><p>{LONGEST}</p>"


def example(heading: str, language: str) -> str:
    """The block of code under a heading."""
    section = (
        PAGE.read_text(encoding="utf-8").partition(f"### {heading}\n")[2].partition("\n### ")[0]
    )
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", section, re.M | re.S)
    return next(text for kind, text in blocks if kind == language)


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of modules that can be imported."""
    folder = tmp_path / "plugins"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


def module(plugins: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    (plugins / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.delitem(sys.modules, name, raising=False)
    return __import__(name)


def test_a_method_is_a_class_and_a_line(plugins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(plugins, "longest_block", example("An extraction method", "python"), monkeypatch)
    line = example("An extraction method", "").replace("extraction.methods.", "")
    for name, path in ast.literal_eval(f"{{{line}}}").items():
        monkeypatch.setitem(registry._METHODS, name, path)
    assert extract(HTML, method="longest-block").text == LONGEST
    assert extract(HTML, method="longest-block", format="html").text == f"<p>{LONGEST}</p>"


def test_a_layout_is_a_module_and_a_line(
    plugins: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    layout = module(plugins, "page_files", example("A layout of data sets", "python"), monkeypatch)
    monkeypatch.setattr(datasets, "LAYOUTS", (*datasets.LAYOUTS, layout))
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "a.page").write_text(f"{HTML}\n\n{LONGEST}", encoding="utf-8")
    [page] = datasets.open_dataset(folder)
    assert (page.id, page.gold_text) == ("a", LONGEST)
    with pytest.raises(ValueError, match=re.escape(layout.LAYOUT)):
        datasets.open_dataset(tmp_path)


def test_a_metric_is_a_function_and_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def same(predicted: str, gold: str) -> metrics.Score:
        return metrics.Score.of(float(predicted == gold), 1.0)

    monkeypatch.setitem(metrics.TEXT_METRICS, "same", same)
    (tmp_path / "a.html").write_text(HTML)
    (tmp_path / "a.txt").write_text(f"Home\n\n{LONGEST}")
    command = ["evaluate", "extraction", "--data", str(tmp_path), "--methods", "all-text"]
    out = tmp_path / "out.json"
    assert command_line.main([*command, "--metric", "same", "--json", str(out)]) == 0
    assert json.loads(out.read_text())["metrics"] == ["same"]


def test_a_benchmark_is_a_module_and_a_line(
    plugins: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "SUMMARY = 'Counts.'\n"
        "def add_arguments(parser):\n    parser.add_argument('--upto', type=int)\n"
        "def run(arguments, report):\n    report.say(sum(range(arguments.upto)))\n    return 0\n"
    )
    module(plugins, "counting", text, monkeypatch)
    monkeypatch.setitem(benchmarks.BENCHMARKS, "counting", "counting")
    monkeypatch.setattr(sys, "argv", ["benchmarks", "counting", "--upto", "4"])
    assert benchmarks.main() == 0
    assert capsys.readouterr().out == "6\n"


def test_a_command_is_a_module_and_a_line(
    plugins: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "def add_arguments(parser): pass\ndef run(arguments): print('hello')\n"
    module(plugins, "greeting", text, monkeypatch)
    entry = command_line.Entry("greeting", "greet the user")
    monkeypatch.setitem(command_line.COMMANDS.commands, "greet", entry)
    assert command_line.main(["greet"]) == 0
    assert capsys.readouterr().out == "hello\n"


def test_a_frontier_is_a_class_and_a_line(plugins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "class Store:\n    async def attach_job(job):\n        return f'all of {job.name}'\n"
    module(plugins, "a_store", text, monkeypatch)
    monkeypatch.setitem(opening._STORES, "redis", "a_store:Store")
    job = parse_job('name = "a"\nseeds.urls = ["http://localhost/"]\nfrontier.url = "redis://host"')
    assert asyncio.run(opening.attach_frontier(job)) == "all of a"
