"""Data sets: a page per line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from corpus_commons.page_lines import read_page_lines, string

PAGE = {"id": "a", "html": "<p>"}


def written(tmp_path: Path, *pages: Any) -> Path:
    path = tmp_path / "pages.jsonl"
    path.write_text("\n".join(json.dumps(page) for page in pages))
    return path


def test_pages_come_with_all_their_fields(tmp_path: Path) -> None:
    pages = [PAGE | {"url": None, "meta": {"x": 1}}, {"id": "b", "html": "", "url": "/"}]
    assert list(read_page_lines(written(tmp_path, *pages), dict)) == pages


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ([], r"an object is needed, not \[\]"),
        ({"id": 1, "html": ""}, "id must be a string, not 1"),
        ({"id": "b"}, "html must be a string, not null"),
        ({"id": "b", "html": "", "url": 1}, "url must be a string, not 1"),
        ({"id": "b", "html": ["<p>" * 99]}, r"html must be a string, not .{40}$"),
        ({"id": "b", "html": "", "genre": 5}, "genre must be a string, not 5"),
    ],
)
def test_what_is_no_page_is_named_by_its_line(tmp_path: Path, wrong: Any, why: str) -> None:
    def genre(page: dict[str, Any]) -> str:
        return string(page, "genre")

    pages = read_page_lines(written(tmp_path, PAGE | {"genre": "blog"}, wrong), genre)
    assert next(pages) == "blog"
    with pytest.raises(
        ValueError, match=rf"pages\.jsonl, line 2: not a page \(id and html are needed\): {why}"
    ):
        next(pages)


def test_the_second_page_with_an_id_is_refused(tmp_path: Path) -> None:
    pages = read_page_lines(written(tmp_path, PAGE, PAGE), dict)
    assert next(pages) == PAGE
    with pytest.raises(ValueError, match=r"line 2: it is the second page with the id a$"):
        next(pages)
