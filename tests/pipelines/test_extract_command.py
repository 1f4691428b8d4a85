"""``extract`` of several pages: from files and folders into a folder, or as lines of JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from scrapy_command import scrapy

from corpus_commons.terminal.commands import EXIT_USAGE
from genre_crawler.command_line import main

TIDES = "<title>Tides</title><h1>Tides</h1><p>" + "The sea comes back twice a day. " * 20
ONE = ("--processes", "1")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of two pages, one of them in a folder of its own, and what is no page."""
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.html").write_text(TIDES)
    (folder / "sub/b.HTM").write_text(TIDES)
    (folder / "style.css").write_text("p { color: red }")
    (folder / "folder.html").mkdir()
    return folder


def test_pages_of_a_folder_are_written_in_its_shape(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = scrapy("extract", site, "--format", "markdown", "--out", out, *ONE)
    assert (done.returncode, done.stdout) == (0, "")
    assert {str(path.relative_to(out)) for path in out.rglob("*.*")} == {"a.md", "sub/b.md"}
    assert "twice a day" in (out / "sub/b.md").read_text()


def test_without_standard_input_there_is_no_page_in_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)  # as Python does where it is closed
    assert main(["extract", "-"]) == 1
    assert "-: there is no standard input; pipe a page" in capsys.readouterr().err


def test_or_are_lines_of_json_in_the_order_of_the_pages(site: Path) -> None:
    done = scrapy("extract", site / "sub/b.HTM", site / "a.html", "--json", *ONE)
    urls = [json.loads(line)["metadata"]["url"] for line in done.stdout.splitlines()]
    assert (done.returncode, urls) == (
        0,
        [(site / "sub/b.HTM").as_uri(), (site / "a.html").as_uri()],
    )


def test_pages_of_a_folder_are_read_with_what_its_other_pages_share(tmp_path: Path) -> None:
    """A notice on all pages of one site is no content; the other folder is of another site."""
    notice = "<p>You may read three articles for free each month, then subscribe to our paper.</p>"
    for number, what in enumerate(("rain", "snow", "hail", "wind")):
        page = tmp_path / ("one" if number else "other") / f"{what}.html"
        page.parent.mkdir(exist_ok=True)
        days = (f"<p>On day {day} of the {what}, the {what} came back twice." for day in range(12))
        page.write_text(f"<article><h1>The {what}</h1>{''.join(days)}{notice}</article>")
    (tmp_path / "one/broken.html").write_bytes(b"%PDF-1.7")
    folders = tmp_path / "one", tmp_path / "other"
    done = scrapy("extract", *folders, "--json", "--site-memory", *ONE)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["metadata"]["site_pages"] for line in found] == [2, 2, 2, None]
    assert ["three articles" in line["text"] for line in found] == [False, False, False, True]
    assert done.stderr.count("broken.html") == 1


def test_what_can_be_read_but_once_has_no_site(site: Path) -> None:
    done = scrapy("extract", "-", site, "--json", "--site-memory")
    assert (done.returncode, "reads pages twice; - is no file" in done.stderr) == (2, True)


def test_a_page_that_cannot_be_read_costs_no_other(site: Path, tmp_path: Path) -> None:
    (site / "broken.html").write_bytes(b"%PDF-1.7")
    out = tmp_path / "out"
    done = scrapy("extract", site, "--out", out, *ONE)
    assert done.returncode == 1
    assert done.stderr == f"scrapy extract: {site}/broken.html: not a page: the content is binary\n"
    assert {path.name for path in out.rglob("*.txt")} == {"a.txt", "b.txt"}


def test_two_pages_are_not_written_to_one_file(site: Path, tmp_path: Path) -> None:
    (site / "sub/a.html").write_text(TIDES)
    out = tmp_path / "out"
    done = scrapy("extract", site / "a.html", site / "sub/a.html", "--out", out)
    assert done.returncode == 2
    assert (
        f"{site}/a.html and {site}/sub/a.html would both be written to {out}/a.txt" in done.stderr
    )
    assert not out.exists()


@pytest.mark.parametrize(
    ("out", "why"),
    [
        ("site/a.html", "is a file, a folder is needed"),
        ("site/a.html/out", "cannot be made: Not a directory"),
    ],
)
def test_what_cannot_be_a_folder_is_told_once_before_any_page_is_read(
    site: Path, tmp_path: Path, out: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "no-page.html").write_bytes(b"%PDF-1.7")
    assert main(["extract", str(site), "--out", str(tmp_path / out)]) == EXIT_USAGE
    told = capsys.readouterr().err
    assert told == f"genre-crawler extract: --out: {tmp_path / out} {why}\n"


def test_a_page_is_not_overwritten_by_its_text(site: Path) -> None:
    done = scrapy("extract", site / "a.html", "--format", "html", "--out", site)
    assert done.returncode == 1
    assert "is the page itself" in done.stderr
    assert (site / "a.html").read_text() == TIDES


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ((), "several pages need --out DIR, or --json"),
        (("--json", "--url", "https://example.org/"), "--url is for a single page"),
        (("https://example.org/", "--json"), "give one URL alone"),
        (("--json", "--site-memory", "--method", "bte"), "bte reads each page by itself"),
    ],
)
def test_what_makes_no_sense_of_several_pages_is_told(
    site: Path, more: tuple[str, ...], said: str
) -> None:
    done = scrapy("extract", site, *more)
    assert done.returncode == 2
    assert said in done.stderr


def test_one_page_has_no_others_to_know(site: Path) -> None:
    done = scrapy("extract", site / "a.html", "--site-memory")
    assert done.returncode == 2
    assert "--site-memory is for several pages" in done.stderr


def test_a_folder_without_pages_is_told(tmp_path: Path) -> None:
    done = scrapy("extract", tmp_path, "--json")
    assert done.returncode == 2
    assert "no file in it ends in .html" in done.stderr
