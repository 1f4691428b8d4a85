"""``python -m genre_model predict`` on a folder of screenshots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard
from tiny_network import picture, save_tiny_network
from unread import unread

from genre_model.commands import COMMANDS, main


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_network(tmp_path_factory.mktemp("network") / "tiny.npz")


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    folder = tmp_path / "shots"
    folder.mkdir()
    (folder / "b.jpg").write_bytes(picture(1))
    (folder / "a.png").write_bytes(picture(2, "PNG"))
    (folder / "notes.txt").write_text("not a screenshot")
    return folder


def predict(*words: object) -> int:
    return main(["predict", *map(str, words)])


def lines(path: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def test_writes_one_line_per_page_sorted_by_id(weights: Path, shots: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert predict("--screenshots", shots, "--model", weights, "--jsonl", out) == 0
    found = lines(out)
    assert [line["id"] for line in found] == ["a", "b"]
    assert all(line["by"] == "screenshot" for line in found)
    assert {"genre", "genre_scores", "page_type", "page_type_scores"} <= set(found[0])
    assert sum(found[0]["genre_scores"].values()) == pytest.approx(1, abs=1e-4)


def test_a_broken_file_has_an_error_and_the_exit_code_says_so(
    weights: Path, shots: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (shots / "aa.jpg").write_bytes(b"nothing")
    out = tmp_path / "out.jsonl"
    assert predict("--screenshots", shots, "--model", weights, "--jsonl", out) == 3
    first, broken, last = lines(out)
    assert broken["id"] == "aa"
    assert broken["error"].startswith("screenshot: ")
    assert "genre" in first
    assert "genre" in last
    assert "1 of 3 pages" in capsys.readouterr().err


def test_what_cannot_be_a_page_has_an_error(tmp_path: Path) -> None:
    pages, out = tmp_path / "html", tmp_path / "out.jsonl"
    pages.mkdir()
    (pages / "blank.html").write_text(" ")
    (pages / "page.html").write_text("<p>A page.")
    (pages / "picture.html").write_bytes(picture(1))
    assert predict("--html", pages, "--jsonl", out) == 3
    blank, page, shot = lines(out)
    assert blank["error"] == "html: the page is empty"
    assert shot["error"] == "html: binary, not HTML"
    assert "genre" in page


def test_with_a_high_threshold_everything_is_unsure(
    weights: Path, shots: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    options = ("--model", weights, "--threshold", 1, "--jsonl", out)
    assert predict("--screenshots", shots, *options) == 0
    assert {line["genre"] for line in lines(out)} == {"unsure"}


def test_dash_writes_to_the_output(
    weights: Path, shots: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert predict("--screenshots", shots, "--model", weights, "--jsonl", "-") == 0
    sys.stdout.flush()
    assert capfdbinary.readouterr().out.count(b"\n") == 2


def test_a_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p>A page.")
    with unread() as stdout:
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "genre_model", "predict", "--html", page, "--jsonl", "-"],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=100,
        )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_single_page_is_classified(tmp_path: Path) -> None:
    page, out = tmp_path / "page.html", tmp_path / "out.jsonl"
    page.write_text("<h1>Rain</h1><p>It rained for two days.")
    assert predict("--html", page, "--jsonl", out) == 0
    assert [line["id"] for line in lines(out)] == ["page"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to classify"),
        (["--by", "screenshot"], "needs --screenshots"),
        (["--screenshots", "nowhere"], "not a folder"),
        (["--screenshots", ".", "--model", "nowhere.npz"], "nowhere.npz"),
        (["--screenshots", ".", "--by", "html"], "needs --html"),
        (["--html", ".", "--model", "my.npz"], "--model my.npz is for classification by screensh"),
        (
            ["--screenshots", ".", "--html-model", "my.zst"],
            "by screenshot, for which there is --mo",
        ),
        (["--html", ".", "--fusion", "my.json"], "--fusion my.json is for classification by both"),
        (["--html", __file__], "nor a file that ends in .html or .html.gz or .jsonl or .jsonl.zst"),
    ],
)
def test_what_cannot_be_used_is_refused(
    words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert predict(*words, "--jsonl", tmp_path / "out.jsonl") == 2
    assert message in capsys.readouterr().err


def test_an_empty_folder_is_refused(
    weights: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    assert predict("--screenshots", tmp_path, "--model", weights, "--jsonl", out) == 2
    assert f"no pages in {tmp_path}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--threshold", "2", "must be from 0 to 1, not '2'"),
        ("--threshold", "high", "must be from 0 to 1, not 'high'"),
        ("--threads", "all", "must be at least 1, not 'all'"),
        ("--by", "nose", "invalid choice"),
    ],
)
def test_options_out_of_range_are_refused(
    option: str, value: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        predict("--jsonl", tmp_path / "out.jsonl", option, value)
    assert error.value.code == 2
    assert f"{option}: {message}" in capsys.readouterr().err


def test_html_is_classified_without_the_libraries_for_screenshots(tmp_path: Path) -> None:
    pages, out = tmp_path / "pages.jsonl.zst", tmp_path / "out.jsonl"
    pages.write_bytes(zstandard.compress(b'{"id": "a", "html": "<p>A page."}'))
    extra = ("PIL", "keras", "lightgbm", "rich", "scipy", "tensorflow", "zstandard")
    script = (
        f"import sys\nsys.modules.update(dict.fromkeys({extra}))\n"
        "from genre_model.commands import main\nsys.exit(main())"
    )
    words = ("predict", "--html", pages, "--jsonl", out)
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", script, *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert [line["id"] for line in lines(out)] == ["a"]


def test_help_names_every_subcommand_without_tensorflow() -> None:
    script = (
        "import sys\nfrom genre_model.commands import main\n"
        "try: main(['--help'])\nfinally: assert 'tensorflow' not in sys.modules"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=True, capture_output=True, timeout=60)  # noqa: S603 - ours
    assert all(name.encode() in done.stdout for name in COMMANDS.commands)
