"""Saved results: one line of JSON per page and method, and reading them again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from evaluation.results import PageKey, Result, SavedResults, from_line, to_line, writing

encodable = st.text(st.characters(exclude_categories=["Cs"]))


def result(identifier: str, method: str = "bte", text: str = "", set_name: str = "a") -> Result:
    return Result(PageKey(set_name, identifier), method, text, 0.5, None)


def write(path: Path, results: Iterable[Result]) -> Path:
    with writing(path) as write_result:
        for each in results:
            write_result(each)
    return path


def saved(*paths: Path, chosen: str = "12") -> list[Result]:
    read = SavedResults(paths)
    pages = {PageKey(name, number) for name in "ab" for number in chosen}
    return list(read.of(pages, read.methods))


@given(encodable, encodable, encodable, st.none() | st.floats(0, 1e6), st.none() | encodable)
def test_a_line_gives_back_what_was_written(
    identifier: str, method: str, text: str, seconds: float | None, error: str | None
) -> None:
    written = Result(PageKey("a set", identifier), method, text, seconds, error)
    line = to_line(written)
    assert line.count(b"\n") == 1
    assert from_line(line) == written
    fields = {"id": str, "set": str, "method": str, "text": str}
    read = json.loads(line)
    assert list(read) == ["id", "set", "method", "text", "seconds", "error"]
    assert all(isinstance(read[name], kind) for name, kind in fields.items())


def test_files_of_other_scripts_need_neither_times_nor_errors() -> None:
    line = b'{"set": "a", "id": "1", "method": "mine", "text": "words"}'
    assert from_line(line) == Result(PageKey("a", "1"), "mine", "words", None, None)


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.zst"])
def test_a_file_is_compressed_by_its_name(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, [result("1"), result("2")])
    assert saved(path) == [result("1"), result("2")]
    compressed = path.read_bytes()[:4] == zstandard.FRAME_HEADER
    assert compressed == name.endswith(".zst")


def test_concatenated_files_are_one(tmp_path: Path) -> None:
    first = write(tmp_path / "1.jsonl.zst", [result("1")])
    second = write(tmp_path / "2.jsonl.zst", [result("2")])
    both = tmp_path / "both.jsonl.zst"
    both.write_bytes(first.read_bytes() + second.read_bytes())
    assert saved(both) == [result("1"), result("2")]


def test_what_was_written_before_an_interrupt_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl.zst"

    def interrupted() -> Iterator[Result]:
        yield result("1")
        yield result("2")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(path, interrupted())
    assert saved(path) == [result("1"), result("2")]


def test_the_last_of_several_results_is_used(tmp_path: Path) -> None:
    old = write(tmp_path / "old.jsonl", [result("1", text="old"), result("2", text="old")])
    new = write(tmp_path / "new.jsonl", [result("1", text="newer"), result("1", text="newest")])
    texts = {each.page.id: each.text for each in saved(old, new)}
    assert texts == {"1": "newest", "2": "old"}


def test_pages_without_a_result_fail_but_sets_that_were_never_run_do_not(tmp_path: Path) -> None:
    path = write(
        tmp_path / "out.jsonl",
        [
            result("1"),
            result("2"),
            result("3"),
            result("1", "goce"),
            result("1", "bte", set_name="b"),
            result("2", "bte", set_name="b"),
            result("3", "bte", set_name="b"),
            result("other", "bte", set_name="elsewhere"),
        ],
    )
    found = saved(path, chosen="123")
    failed = {(each.page, each.method): each.error for each in found if each.error is not None}
    assert failed == {
        (PageKey("a", "2"), "goce"): "missing: no result was saved",
        (PageKey("a", "3"), "goce"): "missing: no result was saved",
    }
    assert len(found) == 9
    assert SavedResults([path]).unknown({PageKey("a", "1")}) == 6


@pytest.mark.parametrize(
    "line",
    [
        b"not json",
        b"[]",
        b"7",
        b'{"id": "1", "set": "a", "method": "bte"}',
        b'{"id": 1, "set": "a", "method": "bte", "text": ""}',
        b'{"id": "1", "set": "a", "method": "bte", "text": "", "seconds": "1"}',
        b'{"id": "1", "set": "a", "method": "bte", "text": "", "error": 7}',
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(to_line(result("1")) + line + b"\n")
    with pytest.raises(ValueError, match=r"out\.jsonl, line 2: not a result"):
        SavedResults([path])
