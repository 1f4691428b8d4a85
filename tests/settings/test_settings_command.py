"""``python -m settings``, the examples, the reference and the schema."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from unread import full, unread

from settings import Job, load_job, parse_job
from settings.__main__ import main
from settings.overrides import scrapy_settings
from settings.reference import put_reference
from settings.shape import names, table_type, tables
from settings.toml_text import to_toml

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))
PAGE = ROOT / "docs" / "reference" / "job-file.md"


def test_the_examples_are_there() -> None:
    assert {"quickstart", "news", "documentation", "rendered"} <= {file.stem for file in EXAMPLES}


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_is_a_job_and_the_same_again_from_its_own_text(file: Path) -> None:
    job = load_job(file)
    assert parse_job(to_toml(job), folder=file.parent) == job
    assert scrapy_settings(job)["BOT_NAME"] == job.name


def test_check_prints_the_job_with_its_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(EXAMPLES[0])]) == 0
    printed = tomllib.loads(capsys.readouterr().out)
    assert printed["name"] == EXAMPLES[0].stem
    assert printed["politeness"]["robots"] is True


def test_check_lists_the_lines_of_seed_files_that_are_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "urls.txt").write_text("http://localhost/\n" + "other\n" * 9)
    file = tmp_path / "job.toml"
    file.write_text('name = "x"\nseeds.files = ["urls.txt"]\n')
    assert main(["check", str(file)]) == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 9
    assert told[0].startswith(f'{tmp_path}/urls.txt:2: "other" must be an absolute URL; ')
    assert told[0].endswith("; the line is skipped")


def test_check_of_a_wrong_file_exits_with_2(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text('name = "x"\nseed = 1\n')
    made = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "settings", "check", file],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.splitlines() == [
        f'{file}: seeds is missing; add it, such as [seeds] with urls = ["https://example.com/"]',
        f"{file}:2: seed is not a known key; did you mean seeds?",
        "2 problems",
    ]


@pytest.mark.parametrize(
    ("output", "code", "error"),
    [
        (unread, 0, ""),
        (full, 1, "python -m settings check: standard output: No space left on device\n"),
    ],
)
def test_what_becomes_of_the_output_says_nothing_of_the_job(
    output: Callable[[], AbstractContextManager[int]], code: int, error: str
) -> None:
    with output() as stdout:
        made = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "settings", "check", EXAMPLES[0]],
            cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (made.returncode, made.stderr) == (code, error)


def test_the_output_may_be_closed() -> None:
    command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "settings", "schema"]
    made = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False)  # noqa: S603
    assert (made.returncode, made.stderr) == (0, "")


def test_the_errors_in_the_documentation_are_those_of_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = {
        1: 'name = "news"',
        2: 'politeness.contact = "you@example.com"',
        3: "[seeds]",
        4: 'urls = ["example.com"]',
        8: "[scope]",
        9: "depht = 2",
        11: "[limits]",
        12: 'page_time = "2 weeks"',
    }
    text = "\n".join(lines.get(number, "") for number in range(1, 13))
    Path("news.toml").write_text(text, encoding="utf-8")
    assert main(["check", "news.toml"]) == 2
    told = capsys.readouterr().err.removesuffix("3 problems\n")
    assert f"```\n{told}```\n" in PAGE.read_text(encoding="utf-8")


def test_the_reference_in_the_documentation_is_that_of_the_model(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert put_reference(page) == page, (
        "run: python -m settings reference --update docs/reference/job-file.md"
    )
    copy = tmp_path / "page.md"
    copy.write_text(page, encoding="utf-8")
    assert main(["reference", "--update", str(copy)]) == 0
    assert copy.read_text(encoding="utf-8") == page


def test_every_key_has_a_meaning() -> None:
    for table in tables().values():
        for name, field in names(table).items():
            assert table_type(field) or field.description, name


def test_a_page_without_marks_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Mine\n")
    assert main(["reference", "--update", str(page)]) == 2
    assert "must have the lines" in capsys.readouterr().err
    assert page.read_text() == "# Mine\n"


def test_the_examples_in_the_documentation_are_jobs() -> None:
    parts = PAGE.read_text(encoding="utf-8").split("```toml\n")[1:]
    assert parts
    for part in parts:
        parse_job(part.split("```")[0])


def test_the_schema_knows_every_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema == Job.model_json_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["required"] == ["name", "seeds"]

    lists = schema["$defs"]["Filters"]["properties"]
    assert lists["genres"]["items"]["enum"] == ["article", "list-view"]
    assert lists["languages"]["items"] == {"type": "string"}

    def properties(path: tuple[str, ...]) -> set[str]:
        found: dict[str, Any] = schema
        for part in path:
            reference: str = found["properties"][part]["$ref"]
            found = schema["$defs"][reference.removeprefix("#/$defs/")]
        assert found["additionalProperties"] is False
        return set(found["properties"])

    for path, table in tables().items():
        assert properties(path) == set(names(table))
