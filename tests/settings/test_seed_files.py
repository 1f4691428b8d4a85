"""Files of URLs: which lines are taken, what is said of others, and what their hosts mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from settings import Job, JobError, parse_job
from settings.seed_files import seed_lines, url_lines


def urls(file: Path) -> list[str]:
    return [line.text for line in url_lines([file])]


def job(folder: Path, *lines: str, rest: str = "") -> Job:
    (folder / "urls.txt").write_text("\n".join(lines))
    return parse_job(f'name = "x"\nseeds.files = ["urls.txt"]\n{rest}', folder=folder)


def refusal(folder: Path, *lines: str, rest: str = "") -> str:
    with pytest.raises(JobError) as caught:
        job(folder, *lines, rest=rest)
    return str(caught.value)


def test_the_first_word_of_a_line_is_its_url(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("# mine\n\n  http://b.example/ a comment\r\nno url\nhttp://c.example/\n")
    assert urls(file) == ["http://b.example/", "http://c.example/"]


def test_a_byte_order_mark_is_no_part_of_the_first_url(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("http://a.example/\nhttp://b.example/\n", encoding="utf-8-sig")
    assert urls(file) == ["http://a.example/", "http://b.example/"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("example.com", '"example.com" must be an absolute URL; write "https://example.com"'),
        (
            "localhost:81/a",
            '"localhost:81/a" must be an absolute URL; write "http://localhost:81/a"',
        ),
        ("hello", '"hello" must be an absolute URL; write "https://example.com/"'),
        ("ftp://a.example/", '"ftp://a.example/" must begin with http:// or https://'),
        ("http://10.0.0.1/", "must be a public host; 10.0.0.1 is a private address"),
        ("http://me:secret@a.example/", '"http://***@a.example/" must not have a user name'),
        ("\x1b]0;x\x07", '"\\u001b]0;x\\u0007" must be'),
        ("x" * 9999, f'"{"x" * 80}" must have at most 4096 characters'),
    ],
)
def test_a_line_that_is_no_url_is_named_with_what_would_be_right(
    tmp_path: Path, text: str, problem: str
) -> None:
    file = tmp_path / "urls.txt"
    file.write_text(f"# first\n{text}\n")
    [line] = seed_lines([file])
    said = line.problem() or ""
    assert said.startswith(f"{file}:2: ")
    assert problem in said


def test_a_file_is_read_no_further_than_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("http://a.example/\n")
    lines = url_lines([file, tmp_path / "is-not-there.txt"])
    assert next(lines).text == "http://a.example/"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((), "write one URL per line into "),
        (("# http://a.example/",), "write one URL per line into "),
        (
            ("example.com", "b"),
            'urls.txt:1: "example.com" must be an absolute URL; write "https://exam',
        ),
        (("\0\ufffd",), 'urls.txt:1: "\\u0000\ufffd" must be a URL without spaces'),
    ],
)
def test_a_job_of_no_usable_url_is_refused(
    tmp_path: Path, lines: tuple[str, ...], why: str
) -> None:
    said = refusal(tmp_path, *lines)
    assert said.startswith("job:2: seeds.files has no usable URL: ")
    assert why in said


def test_a_job_of_other_seeds_may_have_a_file_of_none(tmp_path: Path) -> None:
    assert job(tmp_path, "example.com", rest='seeds.urls = ["http://localhost/"]').is_loopback()


def test_a_file_of_loopback_urls_needs_no_contact(tmp_path: Path) -> None:
    assert job(tmp_path, "http://127.0.0.1/", "nothing", "http://localhost:81/").is_loopback()


def test_the_line_that_needs_a_contact_is_named(tmp_path: Path) -> None:
    lines = ("http://127.0.0.1/", "", "http://a.example/", "http://b.example/")
    said = refusal(tmp_path, *lines)
    assert said.startswith("job: politeness.contact is missing, but it is required")
    assert f'{tmp_path}/urls.txt:3 names "a.example"; add an e-mail address' in said
    assert not job(tmp_path, *lines, rest='politeness.contact = "a@b.example"').is_loopback()
