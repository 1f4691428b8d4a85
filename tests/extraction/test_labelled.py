"""Reading pages with gold text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from extraction.labelled import DataError, LabelledPage, read_pages

PAGE = {"id": "1", "html": "<p>a", "gold_text": "a"}


def written(tmp_path: Path, *records: Any) -> Path:
    path = tmp_path / "set.jsonl.zst"
    lines = "".join(json.dumps(record) + "\n" for record in records)
    path.write_bytes(zstandard.compress(lines.encode()))
    return path


def test_pages_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, PAGE, {**PAGE, "id": "2"})
    assert [page.id for page in read_pages(path)] == ["1", "2"]


def test_a_page_that_comes_twice_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 3: it is the second page with the id 1$"):
        list(read_pages(written(tmp_path, PAGE, {**PAGE, "id": "2"}, PAGE)))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path, why in ((tmp_path / "none.jsonl", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(DataError, match=f"^{path}: {why}"):
            list(read_pages(path))


def test_what_a_set_does_not_say_is_none_or_empty(tmp_path: Path) -> None:
    assert list(read_pages(written(tmp_path, PAGE))) == [LabelledPage("1", "<p>a", "a")]


def test_all_that_a_set_says_is_read(tmp_path: Path) -> None:
    record = PAGE | {
        "url": "https://example.com/",
        "genre": "forum",
        "lang": "en",
        "split": "dev",
        "gold_tagged": "<p>a",
        "with": ["a"],
        "without": ["b"],
        "meta": {"x": 1},
    }
    [page] = read_pages(written(tmp_path, record))
    assert page.url == "https://example.com/"
    assert (page.genre, page.lang, page.split) == ("forum", "en", "dev")
    assert page.gold_tagged == "<p>a"
    assert (page.must_have, page.must_not_have) == (("a",), ("b",))
    assert page.meta == {"x": 1}


@pytest.mark.parametrize("record", [{"id": "1", "html": ""}, [], "text", None])
def test_a_line_that_is_no_page_is_named(tmp_path: Path, record: Any) -> None:
    with pytest.raises(ValueError, match=r"set\.jsonl\.zst, line 2: not a page"):
        list(read_pages(written(tmp_path, PAGE, record)))


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({"id": 1}, "id must be a string, not 1"),
        ({"html": None}, "html must be a string, not null"),
        ({"gold_text": None}, "gold_text must be a string, not null"),
        ({"genre": 5}, "genre must be a string, not 5"),
        ({"url": ["http://a.com/"]}, r"url must be a string, not \["),
        ({"with": [1]}, r"with must be a list of strings, not \[1\]"),
        ({"without": "menu"}, "without must be a list of strings"),
        ({"meta": "w2t"}, "meta must be an object"),
        ({"html": ["<p>" * 99]}, r"html must be a string, not .{40}$"),
    ],
)
def test_a_value_of_the_wrong_type_is_named(
    tmp_path: Path, field: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=rf"line 1: not a page .*: {message}"):
        list(read_pages(written(tmp_path, PAGE | field)))


def test_snippets_are_enough_only_where_they_suffice(tmp_path: Path) -> None:
    snippets = {"id": "1", "html": "<p>a", "with": ["a"], "without": ["b"]}
    path = written(tmp_path, snippets)
    with pytest.raises(DataError, match="gold_text must be a string, not null"):
        list(read_pages(path))
    [page] = read_pages(path, snippets_suffice=True)
    assert (page.gold_text, page.has_gold_text) == ("", False)
    assert (page.must_have, page.must_not_have) == (("a",), ("b",))
    with pytest.raises(DataError, match="gold_text, or the snippets with or without, are needed"):
        list(read_pages(written(tmp_path, {"id": "1", "html": "<p>a"}), snippets_suffice=True))


def test_null_is_what_a_set_does_not_say(tmp_path: Path) -> None:
    nulls = dict.fromkeys(("url", "genre", "lang", "split", "gold_tagged", "with", "meta"))
    assert list(read_pages(written(tmp_path, PAGE | nulls))) == [LabelledPage("1", "<p>a", "a")]


def test_a_file_that_is_not_compressed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "plain.jsonl.zst"
    path.write_text(json.dumps(PAGE))
    with pytest.raises(ValueError, match="line 1"):
        list(read_pages(path))


def test_an_empty_set_has_no_pages(tmp_path: Path) -> None:
    assert list(read_pages(written(tmp_path))) == []
