"""``python -m evaluation extraction``, from data files to tables."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sample_pages import record, sample, write_set
from unread import unread

from corpus_commons.terminal.command_error import EXIT_FAILED
from corpus_commons.terminal.commands import EXIT_USAGE
from evaluation.commands import COMMANDS, main
from evaluation.datasets import open_dataset
from evaluation.results import PageKey, Result, writing

pytestmark = pytest.mark.usefixtures("forked_workers")
ECHO = "trick_methods:Echo"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_set(tmp_path, sample())


def command(*words: object) -> int:
    return main(["extraction", *map(str, words)])


def saved_results(folder: Path) -> Path:
    """Results of all-text for the sample, which a run would take a process for."""
    path = folder / "results.jsonl"
    with writing(path) as write:
        for page in sample():
            write(Result(PageKey("sample", page["id"]), "all-text", page["gold_text"], 0.1, None))
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_run_leaves_table_json_report_and_results(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = {name: tmp_path / f"out.{name}" for name in ("json", "html", "jsonl")}
    methods = "all-text,trick_methods:exits"
    code = command(
        "--data", data, "--methods", methods, "--by", "genre,lang,set", "--metric", "words,cosine",
        "--json", out["json"], "--html", out["html"], "--per-page", out["jsonl"],
    )  # fmt: skip
    assert code == 0

    output = capsys.readouterr()
    failure = "trick_methods:exits: 1 of 1 failures: crash: the process ended with status 3"
    assert failure in output.err.splitlines()
    printed = output.out.splitlines()
    assert printed[0] == "all pages, words"
    assert printed[1].split()[:3] == ["method", "pages", "F1"]
    assert printed[2].split()[:2] == ["all-text", "5"]
    assert printed[2].split()[-2:] == ["0", "0"]
    assert printed[3].split()[-2:] == ["0", "1"]

    cells = json.loads(out["json"].read_bytes())["cells"]
    assert cells["genre"]["article"]["all-text"]["scores"]["words"]["f1"] == 1.0
    assert cells["set"]["sample"]["trick_methods:exits"]["failures"] == 1
    assert set(cells["lang"]) == {"unknown", "en", "de"}
    assert cells["all"]["all"]["all-text"]["snippets"]["with_rate"] == 1.0

    saved = lines(out["jsonl"])
    assert len(saved) == 10
    assert all(list(line) == ["id", "set", "method", "text", "seconds", "error"] for line in saved)
    (failed,) = [line for line in saved if line["error"]]
    assert (failed["id"], failed["method"]) == ("bad", "trick_methods:exits")
    assert failed["error"] == "crash: the process ended with status 3"

    assert "<script" not in out["html"].read_text(encoding="utf-8")


def test_one_and_two_jobs_print_the_same_but_for_the_times(data: Path, tmp_path: Path) -> None:
    def scores(jobs: int) -> dict[str, Any]:
        out = tmp_path / f"{jobs}.json"
        methods = "trick_methods:good,trick_methods:raises"
        command("--data", data, "--methods", methods, "--json", out, "--jobs", jobs)
        made: dict[str, Any] = json.loads(out.read_bytes())
        for cell in made["cells"]["all"]["all"].values():
            del cell["median_seconds"], cell["p95_seconds"]
        cells: dict[str, Any] = made["cells"]
        return cells

    assert scores(1) == scores(2)


def test_saved_results_make_the_same_tables_without_a_run(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = [tmp_path / "first.jsonl", tmp_path / "second.jsonl.zst"]
    for method, path in zip(("all-text", "trick_methods:exits"), saved, strict=True):
        assert command("--data", data, "--methods", method, "--per-page", path) == 0
    capsys.readouterr()
    both = tmp_path / "both.json"
    assert command("--data", data, "--from", *saved, "--json", both, "--jobs", 2) == 0
    cells = json.loads(both.read_bytes())["cells"]["all"]["all"]
    assert list(cells) == ["all-text", "trick_methods:exits"]
    assert cells["trick_methods:exits"]["failures"] == 1
    printed = capsys.readouterr().out
    assert printed.count("all-text") == 1

    assert command("--data", data, "--from", *saved, "--methods", "all-text") == 0
    assert "exits" not in capsys.readouterr().out
    assert command("--data", data, "--from", *saved, "--methods", "bte") == 2
    assert "unknown saved method 'bte'" in capsys.readouterr().err


def test_saved_results_of_other_pages_are_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "saved.jsonl"
    assert command("--data", data, "--methods", "all-text", "--per-page", saved) == 0
    other = data.with_name(f"other-{data.name}")
    other.write_bytes(data.read_bytes())
    assert command("--data", other, "--from", saved) == 2
    assert "no result is of a selected page" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("told", "heard"),
    [
        ("none", {"plain": None, "noisy": None, "forum": None, "bad": None}),
        ("oracle", {"plain": "article", "noisy": "article", "forum": "list-view", "bad": None}),
        ("list-view", dict.fromkeys(["plain", "noisy", "forum", "bad"], "list-view")),
    ],
)
def test_methods_get_the_requested_genre(
    data: Path, tmp_path: Path, told: str, heard: dict[str, str | None]
) -> None:
    out = tmp_path / "out.jsonl"
    command("--data", data, "--methods", ECHO, "--genre", told, "--per-page", out, "--limit", 4)
    assert {line["id"]: line["text"].split()[-1] for line in lines(out)} == {
        identifier: str(genre) for identifier, genre in heard.items()
    }


def test_genres_can_be_reported_as_the_two_of_the_paper(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    command(
        "--data", data, "--methods", ECHO, "--by", "genre", "--genre-map", "goce", "--limit", 4,
        "--json", out,
    )  # fmt: skip
    cells = json.loads(out.read_bytes())["cells"]["genre"]
    pages = {genre: cell[ECHO]["pages"] for genre, cell in cells.items()}
    assert pages == {"article": 2, "list-view": 1, "unknown": 1}


@pytest.mark.parametrize(
    ("options", "pages"),
    [
        (["--split", "test"], 4),
        (["--split", "fold=2"], 2),
        (["--split", "test", "--limit", 1], 1),
        (["--limit", 99], 5),
        (["--share", 1], 5),
    ],
)
def test_pages_are_chosen_by_split_and_limit(
    data: Path, tmp_path: Path, options: list[object], pages: int
) -> None:
    out = tmp_path / "out.json"
    assert command("--data", data, "--methods", ECHO, "--json", out, *options) == 0
    assert json.loads(out.read_bytes())["pages"] == pages


def test_several_sets_may_have_pages_with_the_same_id(data: Path, tmp_path: Path) -> None:
    other = write_set(tmp_path, sample()[:2], "other")
    out = tmp_path / "out.json"
    command("--data", data, other, "--methods", ECHO, "--by", "set", "--json", out)
    cells = json.loads(out.read_bytes())["cells"]["set"]
    assert {name: cell[ECHO]["pages"] for name, cell in cells.items()} == {"sample": 5, "other": 2}


def test_a_method_of_ones_own_is_found_in_the_working_directory(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own_method.py").write_text("from trick_methods import Echo as mine")
    assert command("--data", data, "--methods", "own_method:mine") == 0


@pytest.mark.usefixtures("fresh_workers")
@pytest.mark.parametrize("method", ["justext", "justext:x"])
def test_how_to_install_a_peer_is_told_of_peers_alone(
    data: Path, method: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (data.parent / "justext.py").write_text("raise ImportError('not built')")
    monkeypatch.syspath_prepend(data.parent)
    assert command("--data", data, "--methods", method) == 2
    advice = "pip install -r requirements-dev.txt"
    assert (advice in capsys.readouterr().err) is (method == "justext")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--methods", "no-such"], "unknown extraction method 'no-such'"),
        (["--methods", "trick_methods:broken"], "cannot be loaded: FileNotFoundError"),
        (["--methods", "nowhere:x"], "cannot be loaded: ModuleNotFoundError: No module named 'now"),
        (["--metric", "beauty"], "unknown metric 'beauty'; it must be one of words"),
        (["--by", "author"], "unknown dimension 'author'"),
        (["--from", "no-such.jsonl"], "no-such.jsonl: no such file"),
        (["--data", "no-such.jsonl.zst"], "no-such.jsonl.zst: no such data set"),
    ],
)
def test_unusable_arguments_are_reported_before_the_work(
    data: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("--data", data, *(options or [])) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""


@pytest.mark.parametrize(
    "options",
    [
        ["--jobs", "0"],
        ["--timeout", "0"],
        ["--worst", "-1"],
        ["--methods", ","],
        ["--genre", "bogus"],
        ["--json", "no/such/folder/out.json"],
        ["--html", "tests"],
        ["--per-page", "tests"],
        ["--x"],
    ],
)
def test_wrong_arguments_are_refused(data: Path, options: list[str]) -> None:
    with pytest.raises(SystemExit) as error:
        command("--data", data, *options)
    assert error.value.code == 2


def test_input_files_are_not_overwritten(data: Path, tmp_path: Path) -> None:
    before = data.read_bytes()
    assert command("--data", data, "--methods", ECHO, "--per-page", data) == 2
    assert data.read_bytes() == before
    aside = data.parent / "." / ".." / data.parent.name / data.name
    assert command("--data", data, "--methods", ECHO, "--per-page", aside) == 2
    assert data.read_bytes() == before


def test_two_outputs_cannot_be_the_same_file(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert command("--data", data, "--methods", ECHO, "--json", out, "--html", out) == 2
    assert f"{out} is also an input, or the output of another option" in capsys.readouterr().err
    assert not out.exists()


def test_broken_data_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twice = write_set(tmp_path, [record("1", "", ""), record("1", "", "")], "twice")
    assert command("--data", twice, "--methods", ECHO) == 2
    assert "line 2: it is the second page with the id 1" in capsys.readouterr().err
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("{}\n")
    good = write_set(tmp_path, sample())
    assert command("--data", good, "--from", wrong) == 2
    assert "wrong.jsonl, line 1: not a result" in capsys.readouterr().err
    cut = tmp_path / "cut.jsonl.zst"
    cut.write_bytes(b"not zstd at all")
    assert command("--data", cut, "--methods", ECHO) == 2
    assert command("--data", good, "--from", cut) == 2


def test_methods_that_are_not_installed_are_skipped_by_default(
    data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(
        "evaluation.commands.extraction.names", lambda: ("all-text", "nowhere:missing")
    )
    out = tmp_path / "out.json"
    assert command("--data", data, "--json", out) == 0
    assert json.loads(out.read_bytes())["methods"] == ["all-text"]
    assert "method nowhere:missing skipped" in caplog.text


def test_default_is_the_method_that_the_registry_recommends(
    data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("evaluation.commands.extraction.DEFAULT", "all-text")
    out = tmp_path / "out.json"
    assert command("--data", data, "--methods", "default", "--json", out) == 0
    assert json.loads(out.read_bytes())["methods"] == ["all-text"]


def test_the_module_runs_as_a_program(data: Path) -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "evaluation", "extraction", "--data", data, "--methods", "all-text"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("all pages, words\n")
    assert "\x1b" not in done.stdout


def test_help_names_every_subcommand_and_imports_none() -> None:
    script = (
        "import sys\nfrom evaluation.commands import main\n"
        "try: main(['--help'])\nfinally: assert not {'extraction', 'genre_model'} & {*sys.modules}"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=True, capture_output=True, timeout=60)  # noqa: S603 - ours
    assert all(name.encode() in done.stdout for name in COMMANDS.commands)


def test_a_closed_pipe_is_not_an_error(data: Path) -> None:
    words = ["extraction", "--data", str(data), "--methods", "bte"]
    with unread() as stdout:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "evaluation", *words],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupt_exits_with_130_and_keeps_the_results(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("evaluation.report.WorstPages.add", interrupt)
    out = tmp_path / "out.jsonl"
    assert command("--data", data, "--methods", ECHO, "--per-page", out) == 130
    assert len(lines(out)) == 1
    assert len(list(open_dataset(data))) == 5


def test_an_unwritable_output_is_reported_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as error:
        main(["blocks", "--data", "none", "--methods", "bte", "--json", str(tmp_path)])
    assert error.value.code == 2


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            ("--split", "train"),
            "--split train: the pages of {} are of other parts: test (2), dev (1)",
        ),
        (("--split", "fold=3"), "--split fold=3: the pages of {} are of other parts: 2 (2), 1 (1)"),
        (("--share", 1e-9), "--share 1e-09: too little for a page of {}"),
        (("--share", 1e-9, "--split", "test"), "--share 1e-09: too little for a page of {}"),
    ],
)
def test_why_no_page_is_selected_is_told(
    tmp_path: Path, options: tuple[object, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_set(tmp_path, sample()[:3])
    assert command("--data", data, "--methods", ECHO, *options) == EXIT_USAGE
    assert capsys.readouterr().err == f"python -m evaluation extraction: {why.format(data)}\n"


def test_a_data_set_without_pages_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_set(tmp_path, [])
    assert command("--data", data, "--methods", ECHO) == EXIT_USAGE
    assert capsys.readouterr().err == f"python -m evaluation extraction: {data}: no pages\n"


@pytest.mark.parametrize("option", ["--json", "--html", "--per-page"])
@pytest.mark.parametrize("name", ["full", "full.zst"])
def test_a_full_disk_is_told_with_the_file_and_costs_no_table(
    data: Path, tmp_path: Path, option: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    full = tmp_path / name
    full.symlink_to("/dev/full")
    options = ["--data", data, "--from", saved_results(tmp_path), option, full]
    assert command(*options) == EXIT_FAILED
    told = capsys.readouterr()
    why = "No space left on device"
    assert told.err == f"python -m evaluation extraction: {full}: {why}\n"
    assert ("all-text" in told.out) == (option != "--per-page")
