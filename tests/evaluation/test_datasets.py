"""Layouts of data sets are detected, and errors name the file."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from evaluation.datasets import files, open_dataset
from evaluation.datasets.cleaneval import plain_text

PAGE = "<html><body><p>Łódź is a city.</p></body></html>"


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def write_json(path: Path, content: object) -> Path:
    return write(path, json.dumps(content))


def write_gzip(path: Path, content: str | bytes) -> Path:
    return write(path, gzip.compress(content if isinstance(content, bytes) else content.encode()))


def wcxb_page(folder: Path, identifier: str, **changes: object) -> None:
    truth = {"title": "T", "main_content": "Gold text", "with": ["Gold"], "without": ["Menu"]}
    record = {
        "url": "https://example.org/",
        "_internal": {"page_type": {"primary": "forum"}},
        "ground_truth": truth,
    }
    write_json(folder / "ground-truth" / f"{identifier}.json", record | changes)
    write_gzip(folder / "html" / f"{identifier}.html.gz", PAGE)


class TestOurLayout:
    def test_reads_one_labelled_page_per_line(self, tmp_path: Path) -> None:
        lines = b'{"id": "1", "html": "<p>a", "gold_text": "a", "with": ["a"]}\n'
        path = write(tmp_path / "set.jsonl.zst", zstandard.compress(lines))
        (page,) = open_dataset(path)
        assert (page.id, page.html, page.gold_text, page.must_have) == ("1", "<p>a", "a", ("a",))

    def test_names_file_and_line_of_a_broken_page(self, tmp_path: Path) -> None:
        path = write(tmp_path / "set.jsonl.zst", zstandard.compress(b'{"id": "1"}\n'))
        with pytest.raises(ValueError, match=r"set\.jsonl\.zst, line 1"):
            list(open_dataset(path))


class TestCleaneval:
    GOLD = "URL: http://example.org/a\n\n<h>Title\n\n<p>One line\n   and more.\n<l>  * item\n"

    def test_joins_pages_and_gold_of_the_final_run(self, tmp_path: Path) -> None:
        for number in ("2", "10", "1"):
            write(tmp_path / "finalrun-input" / f"{number}.html", PAGE)
            write(tmp_path / "GoldStandard" / f"{number}.txt", self.GOLD)
        pages = list(open_dataset(tmp_path))
        assert [page.id for page in pages] == ["1", "2", "10"]
        assert pages[0].url == "http://example.org/a"
        assert pages[0].gold_text == "Title\nOne line and more.\n* item"
        assert (pages[0].gold_tagged or "").strip().startswith("<h>Title")

    @pytest.mark.parametrize(
        ("pages", "gold"),
        [("en-original/1.html", "en-cleaned/1-cleaned.txt"), ("orig/1.html", "clean/1.txt")],
    )
    def test_reads_the_other_layouts_of_the_set(
        self, tmp_path: Path, pages: str, gold: str
    ) -> None:
        write(tmp_path / pages, PAGE)
        write(tmp_path / gold, self.GOLD)
        (page,) = open_dataset(tmp_path)
        assert page.gold_text.startswith("Title\n")

    def test_leaves_out_pages_without_gold(self, tmp_path: Path) -> None:
        write(tmp_path / "finalrun-input" / "1.html", PAGE)
        write(tmp_path / "finalrun-input" / "2.html", PAGE)
        write(tmp_path / "GoldStandard" / "2.txt", self.GOLD)
        assert [page.id for page in open_dataset(tmp_path)] == ["2"]

    def test_takes_url_and_encoding_from_the_wrapper(self, tmp_path: Path) -> None:
        wrapped = '<text id="http://w.org/" title="Hi" encoding="iso-8859-2">\n' + PAGE + "</text>"
        write(tmp_path / "finalrun-input" / "1.html", wrapped.encode("iso-8859-2"))
        write(tmp_path / "GoldStandard" / "1.txt", "<p>Łódź")
        (page,) = open_dataset(tmp_path)
        assert page.url == "http://w.org/"
        assert page.meta == {"title": "Hi"}
        assert page.html == PAGE

    def test_segments_are_lines_and_rules_are_dropped(self) -> None:
        tagged = "<H>Title ------\n\n\nUntagged\nparagraph.\n   ______\n<p>End.</p>"
        assert plain_text(tagged) == "Title\nUntagged paragraph.\nEnd."

    @given(st.text(alphabet="ab <>/phl\n_-*="))
    def test_plain_text_has_no_blank_or_padded_line(self, tagged: str) -> None:
        assert all(line and line == line.strip() for line in plain_text(tagged).splitlines())


class TestWcxb:
    def test_reads_the_splits_of_the_repository(self, tmp_path: Path) -> None:
        wcxb_page(tmp_path / "dev", "0002")
        wcxb_page(tmp_path / "dev", "0001")
        wcxb_page(tmp_path / "test", "4011")
        pages = list(open_dataset(tmp_path))
        assert [(page.split, page.id) for page in pages] == [
            ("dev", "0001"),
            ("dev", "0002"),
            ("test", "4011"),
        ]
        first = pages[0]
        assert (first.html, first.gold_text, first.genre) == (PAGE, "Gold text", "forum")
        assert (first.must_have, first.must_not_have) == (("Gold",), ("Menu",))
        assert first.meta == {"title": "T"}

    def test_reads_one_split(self, tmp_path: Path) -> None:
        wcxb_page(tmp_path / "test", "4011")
        (page,) = open_dataset(tmp_path / "test")
        assert (page.id, page.split) == ("4011", "test")

    @pytest.mark.parametrize(
        ("internal", "genre"),
        [
            ({"page_type": {"primary": "category"}}, "collection"),
            ({"page_type": "listing"}, "listing"),
            ({}, "article"),
            (None, "article"),
        ],
    )
    def test_genre_follows_the_benchmarks_script(
        self, tmp_path: Path, internal: object, genre: str
    ) -> None:
        wcxb_page(tmp_path, "1", _internal=internal)
        (page,) = open_dataset(tmp_path)
        assert page.genre == genre

    def test_a_page_may_lack_gold_text_and_snippets(self, tmp_path: Path) -> None:
        wcxb_page(tmp_path, "1", ground_truth={"main_content": None, "with": None})
        (page,) = open_dataset(tmp_path)
        assert (page.gold_text, page.must_have, page.must_not_have) == ("", (), ())

    def test_a_missing_page_is_an_error(self, tmp_path: Path) -> None:
        wcxb_page(tmp_path, "1")
        (tmp_path / "html" / "1.html.gz").unlink()
        with pytest.raises(ValueError, match=r"1\.json: its page .* is missing"):
            list(open_dataset(tmp_path))

    @pytest.mark.parametrize("content", ["{", "[]", '{"url": "x"}'])
    def test_broken_ground_truth_is_an_error(self, tmp_path: Path, content: str) -> None:
        wcxb_page(tmp_path, "1")
        write(tmp_path / "ground-truth" / "1.json", content)
        with pytest.raises(ValueError, match=r"1\.json"):
            list(open_dataset(tmp_path))


class TestArticleBenchmark:
    def test_reads_ground_truth_and_pages(self, tmp_path: Path) -> None:
        truth = {"ab12": {"articleBody": "The body.", "url": "https://example.org/"}}
        write_json(tmp_path / "ground-truth.json", truth)
        write_gzip(tmp_path / "html" / "ab12.html.gz", PAGE)
        (page,) = open_dataset(tmp_path)
        assert (page.id, page.gold_text, page.genre) == ("ab12", "The body.", "article")
        assert page.html == PAGE

    @pytest.mark.parametrize("identifier", ["ab12", "../outside", "/etc/passwd"])
    def test_a_page_that_is_not_in_the_folder_is_an_error(
        self, tmp_path: Path, identifier: str
    ) -> None:
        folder = tmp_path / "set"
        (folder / "html").mkdir(parents=True)
        write_gzip(folder / "outside.html.gz", PAGE)
        write_json(folder / "ground-truth.json", {identifier: {"articleBody": "x"}})
        with pytest.raises(ValueError, match="missing"):
            list(open_dataset(folder))


class TestPlainFolder:
    def test_joins_pages_and_texts_by_name(self, tmp_path: Path) -> None:
        write(tmp_path / "b.html", PAGE)
        write(tmp_path / "b.txt", b"\xef\xbb\xbfB text")
        write(tmp_path / "a.HTM", '<meta charset="gbk"><p>中文'.encode("gbk"))
        write(tmp_path / "a.txt", "")
        first, second = open_dataset(tmp_path)
        assert (first.id, first.gold_text, first.html) == ("a", "", '<meta charset="gbk"><p>中文')
        assert (second.id, second.gold_text) == ("b", "B text")

    def test_a_name_that_is_not_utf8_becomes_text(self, tmp_path: Path) -> None:
        for suffix in (".html", ".txt"):
            write(tmp_path / os.fsdecode(b"caf\xe9" + suffix.encode()), PAGE)
        assert [page.id for page in open_dataset(tmp_path)] == ["caf\\xe9"]

    def test_a_page_without_text_is_an_error(self, tmp_path: Path) -> None:
        write(tmp_path / "a.html", PAGE)
        write(tmp_path / "a.txt", "A")
        write(tmp_path / "b.html", PAGE)
        with pytest.raises(ValueError, match=r"b\.html: its gold text b\.txt is missing"):
            list(open_dataset(tmp_path))


class TestUnknown:
    def test_an_unknown_folder_layout_is_an_error_at_once(self, tmp_path: Path) -> None:
        write(tmp_path / "a.html", PAGE)
        with pytest.raises(ValueError, match="unknown layout"):
            open_dataset(tmp_path)

    def test_an_unknown_kind_of_file_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="unknown layout"):
            open_dataset(write(tmp_path / "a.csv", "a,b"))

    def test_a_missing_path_is_reported(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="no such data set"):
            open_dataset(tmp_path / "nowhere")


class TestBounds:
    def test_a_gzip_bomb_is_refused(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(files, "MAX_BYTES", 1000)
        assert len(files.read_bytes(write_gzip(tmp_path / "fits.gz", bytes(1000)))) == 1000
        with pytest.raises(ValueError, match=r"bomb\.gz: more than 1000 bytes"):
            files.read_bytes(write_gzip(tmp_path / "bomb.gz", bytes(1001)))

    @pytest.mark.parametrize("content", [b"plain", gzip.compress(PAGE.encode(), mtime=0)[:-4]])
    def test_a_broken_gzip_file_is_named(self, tmp_path: Path, content: bytes) -> None:
        with pytest.raises(ValueError, match=r"page\.gz: not a whole gzip file"):
            files.read_bytes(write(tmp_path / "page.gz", content))

    def test_damaged_bytes_inside_a_gzip_file_are_named(self, tmp_path: Path) -> None:
        content = bytearray(gzip.compress(PAGE.encode()))
        content[12:20] = b"\xff" * 8
        with pytest.raises(ValueError, match=r"page\.gz: not a whole gzip file"):
            files.read_bytes(write(tmp_path / "page.gz", bytes(content)))
