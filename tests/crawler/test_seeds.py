"""Where a crawl starts."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from crawler.discovery.seeds import seed_hosts, seeds
from crawler.frontier.url_meta import Kind, UrlMeta
from settings.tables.seeds import Seeds


def test_seeds_of_a_job(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("# mine\n\nhttp://b.example/ a comment\nno url\n")
    table = Seeds.model_validate(
        {
            "urls": ["http://a.example/"],
            "files": [str(file)],
            "sitemaps": ["http://c.example:81/s.xml"],
            "feeds": ["http://d.example/f"],
            "robots_sitemaps": True,
        },
        context={"folder": tmp_path},
    )
    found = {seed.url: UrlMeta.read(seed.note).kind for seed in seeds(table)}
    assert found["http://a.example/"] is found["http://b.example/"] is Kind.PAGE
    assert found["http://c.example:81/s.xml"] is Kind.SITEMAP
    assert found["http://c.example:81/robots.txt"] is Kind.ROBOTS
    assert found["http://d.example/f"] is Kind.FEED
    hosts = ("a.example", "b.example", "c.example:81", "d.example")
    robots = {url for url, kind in found.items() if kind is Kind.ROBOTS}
    assert robots == {f"http://{host}/robots.txt" for host in hosts}
    assert seed_hosts(table) == {"a.example", "b.example", "c.example", "d.example"}


def test_lines_that_are_no_url_are_told_of_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("example.com\nhttp://a.example/\n" + "other\n" * 9)
    table = Seeds(files=(file,))
    with caplog.at_level(logging.WARNING):
        assert seed_hosts(table) == {"a.example"}
    assert caplog.messages[0] == (
        f'{file}:1: "example.com" must be an absolute URL; write "https://example.com"; '
        "the line is skipped"
    )
    assert caplog.messages[4].startswith(f'{file}:6: "other" must be')
    assert caplog.messages[5:] == ["5 more lines of seeds.files are no usable URLs and are skipped"]
    assert [seed.url for seed in seeds(table)] == ["http://a.example/"]


def test_files_of_urls_are_read_as_a_stream(tmp_path: Path) -> None:
    file = tmp_path / "urls.txt"
    file.write_text("http://a.example/\n")
    found = seeds(Seeds.model_construct(files=(file, tmp_path / "is-not-there.txt")))
    assert next(found).url == "http://a.example/"


def test_a_note_is_never_too_long_for_the_frontier() -> None:
    note = UrlMeta()
    for number in range(20):
        note = note.redirected(f"http://example.com/{number}/" + "x" * 3000)
        assert len(note.text()) <= 8192
    assert UrlMeta.read(note.text()).redirects == 20
    assert UrlMeta.read(note.text()).via[-1].startswith("http://example.com/19/")


@pytest.mark.parametrize("text", ["{", "[]", '{"kind":"other"}', '{"level":"x"}'])
def test_a_note_of_somebody_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="UrlMeta"):
        UrlMeta.read(text)
