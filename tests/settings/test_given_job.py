"""The job of a command line that names no job file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from settings import JobError, make_job
from settings.given_job import job_of, with_frontier


def refusal(seeds: Path, contact: str | None = None) -> str:
    with pytest.raises(JobError) as caught:
        job_of(seeds=seeds, contact=contact)
    return str(caught.value)


def test_a_file_of_urls_and_a_contact_are_a_job(tmp_path: Path) -> None:
    file = tmp_path / 'My "URLs" (2).txt'
    file.write_text("https://a.example/\n")
    job = job_of(seeds=file, contact="me@b.example")
    assert (job.name, job.seeds.files) == ("my-urls-2", (file,))
    assert job.politeness.contact == "me@b.example"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({}, "give a job file, or a file with one URL per line as --seeds FILE (-a seeds=FILE)"),
        (
            {"job": "a.toml", "seeds": "b.txt"},
            "there are a job file, a.toml, and seeds, b.txt; give one of the two",
        ),
        (
            {"job": "https://a.example/"},
            "https://a.example/ is a URL, not a job file; write it into a file, and give that as "
            "--seeds FILE (-a seeds=FILE)",
        ),
    ],
)
def test_what_names_no_job_tells_the_ways_to_name_one(given: dict[str, str], why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        job_of(**given)


def test_a_job_that_is_read_already_is_taken_as_it_is() -> None:
    job = make_job({"name": "a", "seeds": {"urls": ["http://localhost/"]}}, source="here")
    assert job_of(job=job) is job


def test_a_job_file_has_the_contact_itself() -> None:
    with pytest.raises(ValueError, match=r"a job has its own, politeness\.contact"):
        job_of(job="any.toml", contact="me@b.example")


def test_a_file_is_found_from_where_the_command_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "urls.txt").write_text("http://localhost/\n")
    monkeypatch.chdir(tmp_path)
    assert job_of(seeds="urls.txt").seeds.files == (tmp_path / "urls.txt",)


def test_a_long_name_of_a_file_is_cut(tmp_path: Path) -> None:
    file = tmp_path / f"{'x' * 99}.txt"
    file.write_text("http://localhost/\n")
    assert job_of(seeds=file).name == "x" * 63


def test_what_is_wrong_with_the_file_has_no_line_of_a_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal(Path("none.txt")) == (
        'none.txt: seeds.files[0] is "none.txt"; it must be an existing file, but '
        f"{tmp_path}/none.txt does not exist"
    )
    assert refusal(tmp_path).endswith(f"it must be a file, but {tmp_path} is a folder")


def test_a_frontier_that_was_meant_and_is_not_named_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("http://localhost/\n")
    with pytest.raises(ValueError, match=r'^FRONTIER= must be "embedded", or a Redis URL'):
        with_frontier(job_of(seeds=file), "")


def test_a_missing_contact_is_told(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("https://a.example/\n")
    assert refusal(file).startswith(f"{file}: politeness.contact is missing")
